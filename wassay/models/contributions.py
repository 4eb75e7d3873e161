"""Contributions: what sellers submit to a request."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wassay.models.base import Listed, Model
from wassay.models.requests import Mode, StoredArray
from wassay.models.sweep import SweepValue

ContributionState = Literal["draft", "submitted", "declined", "withdrawn"]
ScorePolicy = Literal["none", "ranks", "scores"]

LARGEST_SCALAR = 1e150
SAME_CURVE = 1e-9
"""The relative tolerance with which the lines of one curve must be consistent."""


class SweptArray(StoredArray):
    """A measure or cost block that a seller uploaded for one s of the sweep."""

    s: float


Scalar = Annotated[float, Field(ge=-LARGEST_SCALAR, le=LARGEST_SCALAR, strict=True)]
Size = Annotated[float, Field(ge=0, le=LARGEST_SCALAR, strict=True)]


class ScalarLine(Model):
    """The cost of one plan as a function of s: α_j + β_j s + A2·s².

    The plan is optimal at s_j, the member `s`. `alpha` is α_j and `beta` is β_j. A2 is the
    `quadratic_coefficient` of the `Scalars`.
    """

    s: Annotated[SweepValue, Field(strict=True)]
    alpha: Scalar
    beta: Scalar


class Scalars(Model):
    """A seller's own solution of the sweep (p = 2), which no other party can verify.

    W_2²(η_μ(t0), η_ν(s_j)) = α_j + β_j s_j + A2·s_j², where A2 is the `quadratic_coefficient`. Each
    plan is optimal at its own s_j, so no other line lies below its line at s_j. `rounding` bounds
    the errors of the costs at the solved s, which come from float64 and from the gaps of the
    seller's certificates.

    Raises
    ------
    ValueError
        If no transport problems can have these solutions.
    """

    points: Annotated[int, Field(ge=1, le=10**9, strict=True)]
    quadratic_coefficient: Size
    rounding: Size
    lines: Annotated[list[ScalarLine], Field(min_length=3, max_length=32)]

    @model_validator(mode="after")
    def _belong_to_one_curve(self) -> Self:
        for own in self.lines:
            terms = [own.alpha, own.beta * own.s]
            allowed = self.rounding + _rounding([*terms, self.quadratic_coefficient])
            if sum(terms) + self.quadratic_coefficient * own.s**2 < -allowed:
                raise ValueError(
                    f"expected squared distances, received a negative one at s = {own.s}"
                )
            for other in self.lines:
                theirs = [other.alpha, other.beta * own.s]
                if sum(theirs) < sum(terms) - allowed - _rounding(theirs):
                    raise ValueError(
                        f"expected the line of s = {own.s} to be the lowest there, received a "
                        f"lower one of s = {other.s}"
                    )
        return self


def _rounding(terms: Sequence[float]) -> float:
    return SAME_CURVE * max(map(abs, terms))


class Contribution(Listed):
    """One seller's contribution: a measure η_ν(s) or a cost block C(s) for each s, or `scalars`.

    `score_policy` is the most that the buyer may read of the scores of the seller's points. If
    `compared` is true, the buyer may read the distances to other sellers who allow this too. Only
    the seller can read `scalars`; the buyer reads the curve that the scalars define.
    `projection_spread` is σ_b = (Σ b_j ‖b_j − γ̄‖²)^½, from which intervals are computed.
    """

    id: str
    request_id: str
    account_id: str
    organisation: str
    state: ContributionState
    mode: Mode
    label: str
    listing_id: str | None
    score_policy: ScorePolicy
    compared: bool = False
    sampled_from: int | None = Field(
        default=None,
        description="The number of rows from which the seller says the points were drawn; null if "
        "the points are all rows.",
    )
    projection_spread: float | None
    points: int | None
    arrays: list[SweptArray]
    scalars: Scalars | None
    decline_reason: str | None
    created_at: datetime
    updated_at: datetime

"""Contributions: one seller's answer to a request."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wassay.models.base import Model, SweepValue
from wassay.models.requests import Mode, StoredArray

ContributionState = Literal["draft", "submitted", "declined", "withdrawn"]
ScorePolicy = Literal["none", "ranks", "scores"]

LARGEST_SCALAR = 1e150
SAME_CURVE = 1e-9
"""How far the lines of one curve may contradict each other, as a share of their terms."""


class SweptArray(StoredArray):
    """The measure or cost block that a seller uploaded for one s of the sweep."""

    s: float


Scalar = Annotated[float, Field(ge=-LARGEST_SCALAR, le=LARGEST_SCALAR, strict=True)]
Size = Annotated[float, Field(ge=0, le=LARGEST_SCALAR, strict=True)]


class ScalarLine(Model):
    """α_j + β_j s: the cost of the plan that is optimal at s_j, less A2·s²."""

    s: Annotated[SweepValue, Field(strict=True)]
    alpha: Scalar
    beta: Scalar


class Scalars(Model):
    """What a seller who solves the sweep themselves says of it (p = 2); nobody can verify it.

    W_2²(η_μ(t0), η_ν(s_j)) = α_j + β_j s_j + A2·s_j² with A2 the `quadratic_coefficient`. Each plan
    is optimal at its own s, so no other line lies below its line there. `rounding` is how far the
    costs may be off at the solved s, from float64 and from the gaps of the seller's certificates.

    Raises
    ------
    ValueError
        When no solved sweep has such numbers.
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
                raise ValueError(f"expected squared distances; that at s = {own.s} is negative")
            for other in self.lines:
                theirs = [other.alpha, other.beta * own.s]
                if sum(theirs) < sum(terms) - allowed - _rounding(theirs):
                    raise ValueError(
                        f"expected the line of the plan that is optimal at s = {own.s} to be the "
                        f"lowest there; that of s = {other.s} is lower"
                    )
        return self


def _rounding(terms: Sequence[float]) -> float:
    return SAME_CURVE * max(map(abs, terms))


class Contribution(Model):
    """One seller's answer: a measure η_ν(s) or a cost block C(s) for every s, or `scalars`.

    `score_policy` is the most that the buyer gets to see of the scores of this seller's points.
    `compared` says that the buyer may read how far they are from those of each other seller who
    allows it too.
    `scalars`, of mode `scalar`, are shown to their seller; the buyer reads what is made of them.
    `projection_spread` is σ_b = (Σ b_j ‖b_j − γ̄‖²)^½, the one scalar that intervals need.
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
    projection_spread: float | None
    points: int | None
    arrays: list[SweptArray]
    scalars: Scalars | None
    decline_reason: str | None
    created_at: datetime
    updated_at: datetime

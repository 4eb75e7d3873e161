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
"""The relative rounding error that `Scalars` allows when it compares the costs of two lines."""


class SweptArray(StoredArray):
    """A measure or cost block that a seller uploaded for one s of the sweep."""

    s: float


Scalar = Annotated[float, Field(ge=-LARGEST_SCALAR, le=LARGEST_SCALAR, strict=True)]
Size = Annotated[float, Field(ge=0, le=LARGEST_SCALAR, strict=True)]


class ScalarLine(Model):
    """The cost of one transport plan at any s': alpha + beta·s' + A2·s'².

    The plan moves the seller's pushed points onto the buyer's, and is optimal at `s`. A2 is the
    `quadratic_coefficient` of the `Scalars`, which is the same for all plans.
    """

    s: Annotated[SweepValue, Field(strict=True)]
    alpha: Scalar
    beta: Scalar


class Scalars(Model):
    """The numbers of a seller in mode `scalar` (p = 2), which no other party can verify.

    `lines` has the cost of one optimal transport plan for each s of the sweep. At its own s, a line
    gives W_2² between the buyer's and the seller's pushed points. `rounding` bounds the errors of
    these costs, which come from float64 and from the gaps of the seller's certificates.

    Raises
    ------
    ValueError
        If a line is negative at its own s, or another line is lower there, by more than rounding
        errors.
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
    """One seller's contribution to a request.

    In mode `measure`, `arrays` lists the seller's pushed points η_ν(s) for each s of the sweep. In
    mode `cost-block`, it lists the costs C(s) between η_ν(s) and the buyer's points. In mode
    `scalar`, there are no arrays; instead, `scalars` has a few numbers for each s, which only the
    seller can read.

    `score_policy` is the most that the buyer may read of the scores of the seller's points. If
    `compared` is true, the buyer may read the distance to each other seller who allows this, too.

    `projection_spread` tells how far the images of the seller's points on the reference lie from
    the mean γ̄ of the reference. For points of weights w_i and images b_i, it is σ_ν = (Σ_i w_i
    ‖b_i − γ̄‖²)^½. Intervals of distances are computed from it.
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

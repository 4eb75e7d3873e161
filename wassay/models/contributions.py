"""Contributions: what sellers submit to a request."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from wassay.models.base import Listed, Model
from wassay.models.descriptions import ORGANISATION, SELLER, SELLER_LABEL, SELLER_POINTS, S
from wassay.models.requests import Mode, StoredArray
from wassay.models.sweep import SweepValue

ContributionState = Literal["draft", "submitted", "declined", "withdrawn"]
ScorePolicy = Literal["none", "ranks", "scores"]

LARGEST_SCALAR = 1e150
SAME_CURVE = 1e-9
"""The relative rounding error that `Scalars` allows when it compares the costs of two lines."""


class SweptArray(StoredArray):
    """A measure or cost block that a seller uploaded for one s of the sweep."""

    s: float = Field(description=S)


Scalar = Annotated[float, Field(ge=-LARGEST_SCALAR, le=LARGEST_SCALAR, strict=True)]
Size = Annotated[float, Field(ge=0, le=LARGEST_SCALAR, strict=True)]


class ScalarLine(Model):
    """The cost, at any s', of one transport plan from the seller's pushed points to the buyer's.

    The cost is alpha + beta·s' + A2·s'². A2 is the `quadratic_coefficient` of the `Scalars`.
    """

    s: Annotated[SweepValue, Field(strict=True, description="The s at which the plan is optimal.")]
    alpha: Scalar = Field(description="The constant of the cost.")
    beta: Scalar = Field(description="The coefficient of s' in the cost.")


class Scalars(Model):
    """The numbers of a seller in mode `scalar` (p = 2), which no other party can verify.

    Raises
    ------
    ValueError
        If a line's cost is negative at the line's own s, or another line is lower at this s.
        Rounding errors are allowed.
    """

    points: Annotated[int, Field(ge=1, le=10**9, strict=True, description=SELLER_POINTS)]
    quadratic_coefficient: Size = Field(
        description="A2, the coefficient of s² in the cost of every transport plan."
    )
    rounding: Size = Field(
        description="A bound of the errors of the costs, which come from float64 and from the gaps "
        "of the seller's certificates."
    )
    lines: Annotated[
        list[ScalarLine],
        Field(
            min_length=3,
            max_length=32,
            description="The cost of an optimal transport plan for each s of the sweep. At its own "
            "s, it is W_2² between the buyer's and the seller's pushed points.",
        ),
    ]

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

    Some fields are null or empty for a buyer: those of a contribution that is not submitted, and
    those that would undo the noise of a request with an `epsilon`.
    """

    id: str
    request_id: str
    account_id: str = Field(description=SELLER)
    organisation: str = Field(description=ORGANISATION)
    state: ContributionState = Field(
        description="A `draft` becomes `submitted`. `declined`: the seller refuses the request. "
        "`withdrawn`: the seller takes the contribution back."
    )
    mode: Mode = Field(
        description="What the seller sends: pushed points (`measure`), costs (`cost-block`) or a "
        "few numbers (`scalar`)."
    )
    label: str = Field(description=SELLER_LABEL)
    listing_id: str | None = Field(
        description="The seller's listing of the dataset. Null: the dataset is not listed."
    )
    score_policy: ScorePolicy = Field(
        description="The most that the buyer may read of the scores of the seller's points. "
        "`none`: nothing. `ranks`: which points are the noisiest among those of several sellers. "
        "`scores`: every score."
    )
    allows_comparison: bool = Field(
        default=False,
        description="Whether the buyer may read comparisons of these points with those of other "
        "sellers who allow it, too: distances (mode `measure`) and numbers of copies (modes "
        "`measure` and `cost-block`). The buyer may then also read how many points are copies of "
        "the buyer's own.",
    )
    sampled_from: int | None = Field(
        default=None,
        description="The number of rows from which the seller says the points were drawn. Null: "
        "the points are all rows.",
    )
    projection_spread: float | None = Field(
        description="How far the images of the seller's points on the reference lie from the mean "
        "γ̄ of the reference. For points of weights w_i and images b_i, it is σ_ν = (Σ_i w_i "
        "‖b_i − γ̄‖²)^½. Without it, distances have no intervals."
    )
    points: int | None = Field(description=f"{SELLER_POINTS} Null before the first upload.")
    arrays: list[SweptArray] = Field(
        description="For each s of the sweep, the seller's pushed points η_ν(s) in mode `measure`, "
        "or the costs C(s) between them and the buyer's points in mode `cost-block`."
    )
    scalars: Scalars | None = Field(
        description="The numbers of mode `scalar`, which only the seller can read. Otherwise null."
    )
    decline_reason: str | None = Field(
        description="Why the seller declined, in the seller's words. Null unless declined."
    )
    created_at: datetime
    updated_at: datetime

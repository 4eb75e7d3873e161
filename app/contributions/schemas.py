"""What clients send about contributions."""

from typing import Annotated

from pydantic import Field, StringConstraints

from app.kit.bodies import Body
from app.kit.strings import Line, Text
from app.requests.schemas import Id
from wassay.models import Mode, Scalars, ScorePolicy

Spread = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class NewContribution(Body):
    """An answer to begin; it starts as a draft."""

    mode: Mode
    label: Line | None = Field(default=None, description="Absent: the account's name.")
    listing_id: Id | None = Field(default=None, description="A listing of the seller's own.")
    score_policy: ScorePolicy = Field(
        default="none",
        description="What the buyer sees of the scores of these points. Where every seller says "
        "`scores`, the buyer also sees those of the buyer's points, which can tell the records.",
    )


class Submission(Body):
    """What goes with a submitted answer."""

    projection_spread: Spread | None = Field(
        default=None, description="σ_b of the projection; intervals need it."
    )


class NewScalars(Scalars, Body):
    """What the seller says of the sweep."""


class Refusal(Body):
    """Why a seller does not answer."""

    reason: Annotated[Text, StringConstraints(min_length=1, max_length=1000)]

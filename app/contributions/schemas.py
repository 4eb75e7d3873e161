"""What clients send about contributions."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, StrictBool, StringConstraints

from wassay.models import Scalars, ScorePolicy

from ..kit.request_models import RequestModel
from ..kit.strings import Line, Text
from ..requests.schemas import Id, KnownMode

Spread = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class NewContribution(RequestModel):
    """An answer to begin; it starts as a draft."""

    example: ClassVar[dict[str, Any]] = {"mode": "measure", "label": "Bolt"}

    mode: KnownMode
    label: Line | None = Field(default=None, description="Absent: the account's name.")
    listing_id: Id | None = Field(default=None, description="A listing of the seller's own.")
    score_policy: ScorePolicy = Field(
        default="none",
        description="The most that the buyer sees of the scores of these points: evaluated with "
        "other sellers', which are the noisiest. Where every seller says `scores`, the buyer sees "
        "them, and those of the buyer's points, which can tell the records.",
    )
    compared: StrictBool = Field(
        default=False,
        description="The buyer may read how far these points are from those of each other seller "
        "who allows it too; in mode `measure`.",
    )


class Submission(RequestModel):
    """What goes with a submitted answer."""

    example: ClassVar[dict[str, Any]] = {"projection_spread": 0.0}

    projection_spread: Spread | None = Field(
        default=None, description="σ_b of the projection; intervals need it."
    )


class NewScalars(Scalars, RequestModel):
    """What the seller says of the sweep."""

    example: ClassVar[dict[str, Any]] = {
        "points": 100,
        "quadratic_coefficient": 1.0,
        "rounding": 1e-12,
        "lines": [
            {"s": 0.25, "alpha": 1.0, "beta": -1.0},
            {"s": 0.5, "alpha": 1.0, "beta": -1.0},
            {"s": 0.75, "alpha": 1.0, "beta": -1.0},
        ],
    }


class Refusal(RequestModel):
    """Why a seller does not answer."""

    example: ClassVar[dict[str, Any]] = {"reason": "Not before our audit in March."}

    reason: Annotated[Text, StringConstraints(min_length=1, max_length=1000)]

"""The JSON bodies that the routes of contributions receive."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, StrictBool, StringConstraints

from wassay.models import Contribution, ScalarLine, Scalars, ScorePolicy
from wassay.readable_text import Line, Text

from ..http.request_models import RequestModel, meaning
from ..requests.modes import KnownMode
from ..requests.schemas import Id

Spread = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class NewContribution(RequestModel):
    """A contribution to create as a draft."""

    example: ClassVar[dict[str, Any]] = {"mode": "measure", "label": "Bolt"}

    mode: KnownMode = Field(description=meaning(Contribution, "mode"))
    label: Line | None = Field(
        default=None,
        description=f"{meaning(Contribution, 'label')} Null: the account's name.",
    )
    listing_id: Id | None = Field(default=None, description=meaning(Contribution, "listing_id"))
    score_policy: ScorePolicy = Field(
        default="none",
        description=f"{meaning(Contribution, 'score_policy')} The buyer reads scores, even of the "
        "buyer's own points, only if every seller allows `scores`, because scores can disclose "
        "records.",
    )
    allows_comparison: StrictBool = Field(
        default=False, description=meaning(Contribution, "allows_comparison")
    )
    sampled_from: Annotated[int, Field(ge=1, le=2**63 - 1, strict=True)] | None = Field(
        default=None, description=meaning(Contribution, "sampled_from")
    )


class Submission(RequestModel):
    """Statements that a seller makes when submitting a contribution."""

    example: ClassVar[dict[str, Any]] = {"projection_spread": 0.0}

    projection_spread: Spread | None = Field(
        default=None,
        description=meaning(Contribution, "projection_spread"),
    )


class NewScalarLine(ScalarLine, RequestModel):
    """The line `alpha` + `beta`·s': the cost of one transport plan, minus the quadratic term.

    The plan is optimal at s.
    """

    example: ClassVar[dict[str, Any]] = {"s": 0.25, "alpha": 1.0, "beta": -1.0}


class NewScalars(Scalars, RequestModel):
    """The curve that a seller has computed: a straight line for each s, and one quadratic term."""

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

    lines: Annotated[  # type: ignore[assignment]
        list[NewScalarLine],
        Field(min_length=3, max_length=32, description=meaning(Scalars, "lines")),
    ]


class Refusal(RequestModel):
    """The reason for declining a request."""

    example: ClassVar[dict[str, Any]] = {"reason": "Not before our audit in March."}

    reason: Annotated[Text, StringConstraints(min_length=1, max_length=1000)] = Field(
        description="Why, in words that the buyer reads."
    )

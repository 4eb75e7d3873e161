"""What clients send about evaluations."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, StringConstraints

from app.kit.bodies import Body
from wassay.models import SellerWeighting

MOST_GROUPS = 5_000

BodyId = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")]


class NewEvaluation(Body):
    """Which contributions to evaluate, and how sellers weigh in the aggregate.

    `points`: a seller weighs by their number of points, so that every point counts the same;
    `equal`: all sellers weigh the same.
    """

    example: ClassVar[dict[str, Any]] = {"seller_weighting": "points"}

    contribution_ids: Annotated[
        list[BodyId] | None,
        Field(
            min_length=1,
            max_length=10_000,
            description="Of submitted contributions to the request; absent: all there are.",
        ),
    ] = None
    seller_weighting: SellerWeighting = "points"
    groups: Annotated[
        list[Annotated[list[BodyId], Field(min_length=1, max_length=10_000)]],
        Field(
            default_factory=list,
            max_length=MOST_GROUPS,
            description="Further groups of these contributions whose distance to solve; all "
            "together, each alone and all without each are solved in any case.",
        ),
    ]
    orders: Annotated[int, Field(ge=0, multiple_of=2, strict=True)] = Field(
        default=0,
        description="Random orders of all contributions, of which the groups of those who came "
        "first are solved too, for Shapley values of many sellers; half of the orders are others "
        f"backwards. They make N − 3 groups each, and {MOST_GROUPS} are allowed in all.",
    )

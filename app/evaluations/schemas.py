"""What clients send about evaluations."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, StrictBool, StringConstraints, model_validator

from wassay.models import MAX_COALITIONS, SellerWeighting

from ..kit.request_models import RequestModel

BodyId = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")]


class NewEvaluation(RequestModel):
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
            description="Of submitted contributions to the request; absent: all there are, or "
            "those of the evaluation that this one `extends`.",
        ),
    ] = None
    extends: BodyId | None = Field(
        default=None,
        description="An evaluation of the same request that has succeeded. Of its contributions, "
        "with its weighting, only the `coalitions` and those of the `permutations` are solved; "
        "what is found "
        "of all together, each alone and all without each, and the scores, stay its own.",
    )
    seller_weighting: SellerWeighting = "points"
    coalitions: Annotated[
        list[Annotated[list[BodyId], Field(min_length=1, max_length=10_000)]],
        Field(
            default_factory=list,
            max_length=MAX_COALITIONS,
            description="Further coalitions of these contributions whose distance to solve; all "
            "together, each alone and all without each are solved in any case.",
        ),
    ]
    permutations: Annotated[int, Field(ge=0, multiple_of=2, strict=True)] = Field(
        default=0,
        description="Random permutations of all contributions, of which the coalitions of those "
        "who came "
        "first are solved too, for Shapley values of many sellers; every other order is the one "
        f"before, backwards. They make N − 3 coalitions each, and {MAX_COALITIONS} are allowed in "
        "all.",
    )
    first_permutation: Annotated[int, Field(ge=0, le=10**9, multiple_of=2, strict=True)] = Field(
        default=0, description="How many permutations there are before these: sampled earlier."
    )

    pairs: StrictBool = Field(
        default=False,
        description="The distances between any two of the contributions that are `compared`, at "
        "the smallest s; where this evaluation `extends` another.",
    )

    @model_validator(mode="after")
    def _belongs_to_what_it_extends(self) -> Self:
        settled = {"contribution_ids", "seller_weighting"} & self.model_fields_set
        if self.extends is not None and settled:
            raise ValueError(
                f"expected no {' and no '.join(sorted(settled))}: they are those of the evaluation "
                "that this one extends"
            )
        if self.pairs and self.extends is None:
            raise ValueError("expected extends where pairs are asked for")
        return self

"""The JSON body that the routes of evaluations receive."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, StrictBool, StringConstraints, model_validator

from wassay.models import MAX_COALITIONS

from ..http.request_models import RequestModel

SMALLEST_WEIGHT = 1e-6
"""The smallest weight of a seller, as a share of the largest."""

BodyId = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")]


class NewEvaluation(RequestModel):
    """Which contributions and coalitions to evaluate, and the sellers' weights in mixtures."""

    example: ClassVar[dict[str, Any]] = {"seller_weighting": "points"}

    contribution_ids: Annotated[
        list[BodyId] | None,
        Field(
            min_length=1,
            max_length=10_000,
            description="Ids of submitted contributions to the request. Null: all of them or, if "
            "this evaluation `extends` another, the contributions of that one.",
        ),
    ] = None
    extends: BodyId | None = Field(
        default=None,
        description="An earlier, succeeded evaluation of the request. Its contributions, "
        "weighting, distances and scores are reused; only the added `coalitions`, `permutations` "
        "and `pairs` are solved.",
    )
    seller_weighting: Literal["points", "equal"] = Field(
        default="points",
        description="Whether a seller's weight is proportional to the seller's number of `points`, "
        "or `equal` for all sellers.",
    )
    seller_weights: Annotated[
        dict[BodyId, Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]] | None,
        Field(
            min_length=1,
            max_length=10_000,
            description="The weight of each evaluated contribution, by id, instead of "
            "`seller_weighting`. The weights are divided by their sum. The smallest must be at "
            f"least {SMALLEST_WEIGHT:g} times the largest.",
        ),
    ] = None
    leave_one_out: StrictBool | None = Field(
        default=None,
        description="Whether to solve the coalitions of all sellers but one, which count towards "
        "sellers' caps. Null: only if every cap `questions` allows them, and the evaluation states "
        "whether they were solved. True: if a cap forbids them, the evaluation is refused.",
    )
    coalitions: Annotated[
        list[Annotated[list[BodyId], Field(min_length=1, max_length=10_000)]],
        Field(
            default_factory=list,
            max_length=MAX_COALITIONS,
            description="Further coalitions of the evaluated contributions to solve. The coalition "
            "of all and each seller alone are always solved.",
        ),
    ]
    permutations: Annotated[int, Field(ge=0, multiple_of=2, strict=True)] = Field(
        default=0,
        description="Number of random orders of the N contributions, for Shapley values of many "
        "sellers. Each adds up to N − 3 coalitions: those of its first contributions. At most "
        f"{MAX_COALITIONS} coalitions and pairs are allowed in all.",
    )
    first_permutation: Annotated[int, Field(ge=0, le=10**9, multiple_of=2, strict=True)] = Field(
        default=0,
        description="Number of permutations that earlier evaluations have sampled, so that this "
        "one samples others.",
    )

    pairs: StrictBool = Field(
        default=False,
        description="Whether to solve the distance between each two of the contributions that "
        "allow comparison, at the smallest s. Allowed only if this evaluation `extends` another.",
    )

    @model_validator(mode="after")
    def _check_weights(self) -> Self:
        weights = self.seller_weights
        if weights is None:
            return self
        if "seller_weighting" in self.model_fields_set:
            raise ValueError("expected either seller_weighting or seller_weights, received both")
        smallest = min(weights, key=weights.__getitem__)
        if weights[smallest] < SMALLEST_WEIGHT * max(weights.values()):
            raise ValueError(
                f"expected weights of at least {SMALLEST_WEIGHT:g} times the largest, received "
                f"{weights[smallest]:g} for {smallest}: leave that contribution out of "
                "contribution_ids instead"
            )
        return self

    @model_validator(mode="after")
    def _check_extension(self) -> Self:
        inherited = {
            "contribution_ids",
            "leave_one_out",
            "seller_weighting",
            "seller_weights",
        } & self.model_fields_set
        if self.extends is not None and inherited:
            raise ValueError(
                f"expected no {' and no '.join(sorted(inherited))}, because the evaluation takes "
                "over those of the one that it extends: leave them out"
            )
        if self.pairs and self.extends is None:
            raise ValueError(
                "expected extends with the id of an evaluation, because pairs can only be added "
                "to one that has succeeded"
            )
        return self

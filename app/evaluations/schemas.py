"""Request bodies of evaluations."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, StrictBool, StringConstraints, model_validator

from wassay.models import MAX_COALITIONS

from ..http.request_models import RequestModel

SMALLEST_WEIGHT = 1e-6
"""The smallest weight of a seller, as a share of the largest."""

BodyId = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")]


class NewEvaluation(RequestModel):
    """The contributions to evaluate, and the weights of sellers in their mixture.

    `points`: each seller's weight is proportional to their number of points, so that every point
    has the same weight; `equal`: all sellers have the same weight. If `seller_weights` are given,
    they are the weights.
    """

    example: ClassVar[dict[str, Any]] = {"seller_weighting": "points"}

    contribution_ids: Annotated[
        list[BodyId] | None,
        Field(
            min_length=1,
            max_length=10_000,
            description="Ids of submitted contributions to the request; by default all, or those "
            "of the evaluation that this one `extends`.",
        ),
    ] = None
    extends: BodyId | None = Field(
        default=None,
        description="An evaluation of the same request that has succeeded. With its contributions "
        "and weighting, only the `coalitions` and those of the `permutations` are solved; its "
        "other distances and its scores are reused.",
    )
    seller_weighting: Literal["points", "equal"] = "points"
    seller_weights: Annotated[
        dict[BodyId, Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]] | None,
        Field(
            min_length=1,
            max_length=10_000,
            description="The weight of each evaluated contribution, by its id, instead of "
            "`seller_weighting`. Weights are divided by their sum. None may be below "
            f"{SMALLEST_WEIGHT:g} of the largest.",
        ),
    ] = None
    leave_one_out: StrictBool | None = Field(
        default=None,
        description="Whether to solve all sellers without each one, which takes further questions "
        "from sellers' caps. By default, if every cap `questions` allows it; the evaluation then "
        "says whether. If true, the evaluation is refused unless they allow it.",
    )
    coalitions: Annotated[
        list[Annotated[list[BodyId], Field(min_length=1, max_length=10_000)]],
        Field(
            default_factory=list,
            max_length=MAX_COALITIONS,
            description="Further coalitions of these contributions to solve; all together and each "
            "alone are always solved.",
        ),
    ]
    permutations: Annotated[int, Field(ge=0, multiple_of=2, strict=True)] = Field(
        default=0,
        description="Number of random permutations of all contributions whose prefixes are solved "
        "as coalitions, for Shapley values of many sellers; every second permutation reverses the "
        f"one before. Each adds N − 3 coalitions; at most {MAX_COALITIONS} are allowed in all.",
    )
    first_permutation: Annotated[int, Field(ge=0, le=10**9, multiple_of=2, strict=True)] = Field(
        default=0, description="Number of permutations that earlier evaluations have sampled."
    )

    pairs: StrictBool = Field(
        default=False,
        description="Whether to solve the distances between any two of the `compared` "
        "contributions, at the smallest s; only if this evaluation `extends` another.",
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
                f"expected weights of at least {SMALLEST_WEIGHT:g} of the largest, received "
                f"{weights[smallest]:g} for {smallest}: leave it out of contribution_ids instead"
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
                f"expected no {' and no '.join(sorted(inherited))}: they are inherited from the "
                "evaluation that this one extends"
            )
        if self.pairs and self.extends is None:
            raise ValueError("expected extends, because pairs are asked for")
        return self

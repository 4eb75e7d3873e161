"""References: the random measure γ towards which buyer and sellers push their points."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from wassay.models.base import Listed, Model

Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]

MAX_NORMALS = 4_096
"""The most coordinates of the law `normals`, whose parameters must fit into a sealed key's box."""


class Law(Model):
    """The base of the distributions of a reference's points.

    Unknown fields are errors, even in responses, because an unknown parameter would change γ.
    """

    model_config = ConfigDict(extra="forbid")


class Normal(Law):
    """Independent normal coordinates with the same mean and standard deviation."""

    kind: Literal["normal"] = "normal"
    mean: Finite = 0.0
    std: Positive = 1.0


class Normals(Law):
    """Independent normal coordinates, each with its own mean and standard deviation."""

    kind: Literal["normals"] = "normals"
    mean: list[Finite] = Field(min_length=1, max_length=MAX_NORMALS)
    std: list[Positive] = Field(min_length=1, max_length=MAX_NORMALS)

    @model_validator(mode="after")
    def _is_one_for_each_coordinate(self) -> "Normals":
        if len(self.mean) != len(self.std):
            raise ValueError(
                "expected one mean and one std for each coordinate, received "
                f"{len(self.mean)} and {len(self.std)}"
            )
        return self


class Gamma(Law):
    """Independent gamma coordinates."""

    kind: Literal["gamma"] = "gamma"
    shape: Positive
    scale: Positive = 1.0


class Uniform(Law):
    """Independent uniform coordinates on [low, high)."""

    kind: Literal["uniform"] = "uniform"
    low: Finite = 0.0
    high: Finite = 1.0

    @model_validator(mode="after")
    def _is_an_interval(self) -> "Uniform":
        if self.low >= self.high:
            raise ValueError(f"expected low < high, received {self.low} and {self.high}")
        return self


class Constant(Law):
    """Coordinates that all equal `value`. Distances are exact, but the push then hides nothing."""

    kind: Literal["constant"] = "constant"
    value: Finite = 0.0


ReferenceDisclosure = Literal["open", "sealed"]

Distribution = Annotated[Normal | Normals | Gamma | Uniform | Constant, Field(discriminator="kind")]


class Reference(Listed):
    """The parameters of γ: the number, dimension, distribution and seed of its points.

    An `open` reference shows its seed, as a decimal string. A `sealed` reference shows a commitment
    instead: the SHA-256 of the key that the buyer seals to each seller. The key contains the seed
    and a secret isometry. `derivation` is the version of the rule that derives the points from the
    seed.

    If `projected_from` is set, raw points have that many coordinates. The key then also contains a
    random projection to `dimension` coordinates, which all parties apply before they push points.
    """

    id: str
    account_id: str
    size: int
    dimension: int
    projected_from: int | None = None
    distribution: Distribution
    disclosure: ReferenceDisclosure
    seed: str | None
    commitment: str | None
    derivation: int
    created_at: datetime

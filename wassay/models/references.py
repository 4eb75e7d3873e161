"""References: the random measure γ that buyer and sellers share."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from wassay.models.base import Listed, Model

Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]

MAX_NORMALS = 4_096
"""The most coordinates with parameters of their own: the sealed key repeats these in its box."""


class Law(Model):
    """The distribution of a reference's points.

    Unknown fields are errors, in responses too: another parameter would give another γ.
    """

    model_config = ConfigDict(extra="forbid")


class Normal(Law):
    """Independent normal coordinates."""

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
    """Equal coordinates: σ_γ = 0, so the method hides nothing and loses nothing."""

    kind: Literal["constant"] = "constant"
    value: Finite = 0.0


ReferenceDisclosure = Literal["open", "sealed"]

Distribution = Annotated[Normal | Normals | Gamma | Uniform | Constant, Field(discriminator="kind")]


class Reference(Listed):
    """γ by its parameters: k points in d dimensions, their distribution and their seed.

    An `open` reference shows its seed as a decimal string, since it has up to 128 bits and JSON
    numbers have 53. A `sealed` one shows a commitment instead: the SHA-256 of the key that the
    buyer seals to each seller, which holds the seed and a secret isometry. `derivation` is the
    version of the rule that derives the points from the seed.

    With `projected_from` d, the key also holds a random projection: everybody's raw points have d
    coordinates, and are projected to `dimension` of them before they are pushed.
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

"""References: the random measure γ towards which buyer and sellers push their points."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from wassay.models.base import Listed, Model
from wassay.models.descriptions import BUYER, DIMENSION, PROJECTED_FROM

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
    mean: Finite = Field(default=0.0, description="The mean of every coordinate.")
    std: Positive = Field(default=1.0, description="The standard deviation of every coordinate.")


class Normals(Law):
    """Independent normal coordinates, each with its own mean and standard deviation."""

    kind: Literal["normals"] = "normals"
    mean: list[Finite] = Field(
        min_length=1, max_length=MAX_NORMALS, description="The mean of each coordinate."
    )
    std: list[Positive] = Field(
        min_length=1, max_length=MAX_NORMALS, description="The standard deviation of each."
    )

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
    shape: Positive = Field(description="The shape k. The mean is k times the scale.")
    scale: Positive = Field(default=1.0, description="The scale of every coordinate.")


class Uniform(Law):
    """Independent uniform coordinates on [low, high)."""

    kind: Literal["uniform"] = "uniform"
    low: Finite = Field(default=0.0, description="The smallest value.")
    high: Finite = Field(default=1.0, description="The bound above all values.")

    @model_validator(mode="after")
    def _is_an_interval(self) -> "Uniform":
        if self.low >= self.high:
            raise ValueError(f"expected low < high, received {self.low} and {self.high}")
        return self


class Constant(Law):
    """Coordinates that all equal `value`. Distances are exact, but the push then hides nothing."""

    kind: Literal["constant"] = "constant"
    value: Finite = Field(default=0.0, description="The value of every coordinate.")


ReferenceDisclosure = Literal["open", "sealed"]

Distribution = Annotated[Normal | Normals | Gamma | Uniform | Constant, Field(discriminator="kind")]


class Reference(Listed):
    """The parameters of γ: the number, dimension, distribution and seed of its points.

    All parties derive the points from the seed. If the reference is sealed, they derive the seed, a
    secret isometry and any random projection from the reference's key.
    """

    id: str
    account_id: str = Field(description=BUYER)
    size: int = Field(description="The number of points.")
    dimension: int = Field(description=DIMENSION)
    projected_from: int | None = Field(default=None, description=PROJECTED_FROM)
    distribution: Distribution = Field(description="The distribution of the points.")
    disclosure: ReferenceDisclosure = Field(
        description="`open`: all readers of the reference see its seed. `sealed`: the buyer seals "
        "a key to each seller, and the service receives only a commitment to that key."
    )
    seed: str | None = Field(
        description="The seed, a whole number below 2**128 in decimal digits. Null if sealed."
    )
    commitment: str | None = Field(
        description="The SHA-256 of the sealed key, in hexadecimal digits. Null if open."
    )
    derivation: int = Field(
        description="The version of the rule that derives the points from the seed."
    )
    created_at: datetime

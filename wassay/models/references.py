"""References: the random measure γ that buyer and sellers share."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, model_validator

from wassay.models.base import Model

Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Normal(Model):
    """Independent normal coordinates."""

    kind: Literal["normal"] = "normal"
    mean: Finite = 0.0
    std: Positive = 1.0


class Gamma(Model):
    """Independent gamma coordinates."""

    kind: Literal["gamma"] = "gamma"
    shape: Positive
    scale: Positive = 1.0


class Uniform(Model):
    """Independent uniform coordinates on [low, high)."""

    kind: Literal["uniform"] = "uniform"
    low: Finite = 0.0
    high: Finite = 1.0

    @model_validator(mode="after")
    def _is_an_interval(self) -> "Uniform":
        if self.low >= self.high:
            raise ValueError(f"expected low < high; {self.low} and {self.high} came")
        return self


class Constant(Model):
    """Every coordinate the same: σ_γ = 0, so nothing is hidden and nothing is lost."""

    kind: Literal["constant"] = "constant"
    value: Finite = 0.0


ReferenceDisclosure = Literal["open", "sealed"]

Distribution = Annotated[Normal | Gamma | Uniform | Constant, Field(discriminator="kind")]


class Reference(Model):
    """γ by its parameters: k points in d dimensions, a distribution, and how its seed is shared.

    An `open` reference shows its seed: a decimal string, for it has up to 128 bits and JSON numbers
    lose bits above 53. A `sealed` one shows a commitment instead: the SHA-256 of a key that the
    buyer seals to each seller, with the seed and a secret isometry in it.
    `derivation` is the version of the rule that turns the seed into points.
    """

    id: str
    account_id: str
    size: int
    dimension: int
    distribution: Distribution
    disclosure: ReferenceDisclosure
    seed: str | None
    commitment: str | None
    derivation: int
    created_at: datetime

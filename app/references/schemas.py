"""What clients send about references."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from wassay.models import Distribution, ReferenceDisclosure

from ..kit.request_models import RequestModel

SEED_BITS = 128


def _fits(seed: str) -> str:
    if int(seed) >= 2**SEED_BITS:
        raise ValueError(f"expected a seed below 2**{SEED_BITS}")
    return str(int(seed))


Seed = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{1,39}$", strict=True), AfterValidator(_fits)
]
"""A whole number below 2¹²⁸ in decimal digits."""


Commitment = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$", strict=True)]
"""A SHA-256 in hexadecimal digits."""


class NewReference(RequestModel):
    """γ to register: by its parameters; an open one without a seed gets one from the service."""

    example: ClassVar[dict[str, Any]] = {
        "size": 1,
        "dimension": 64,
        "distribution": {"kind": "normal"},
    }

    size: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    dimension: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    distribution: Distribution
    disclosure: ReferenceDisclosure = Field(
        default="open",
        description="`open`: everybody who may read the reference reads its seed. `sealed`: the "
        "buyer seals it to each seller, and the service gets a commitment only.",
    )
    seed: Seed | None = Field(default=None, description="Below 2**128, in decimal digits; if open.")
    commitment: Commitment | None = Field(
        default=None, description="SHA-256 of the sealed key, in hexadecimal digits; if sealed."
    )

    @model_validator(mode="after")
    def _says_what_its_disclosure_needs(self) -> Self:
        if self.disclosure == "sealed" and (self.seed is not None or self.commitment is None):
            raise ValueError("expected a commitment and no seed, for the reference is sealed")
        if self.disclosure == "open" and self.commitment is not None:
            raise ValueError("expected no commitment, for the reference is open")
        return self

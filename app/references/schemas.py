"""The JSON bodies that the routes of references receive."""

from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from wassay.models import Distribution, Normals, Reference, ReferenceDisclosure

from ..http.request_models import RequestModel, meaning

SEED_BITS = 128


def _below_limit(seed: str) -> str:
    if int(seed) >= 2**SEED_BITS:
        raise ValueError(f"expected a seed below 2**{SEED_BITS}")
    return str(int(seed))


Seed = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{1,39}$", strict=True), AfterValidator(_below_limit)
]
"""A whole number below 2¹²⁸, in decimal digits."""


Commitment = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$", strict=True)]
"""A SHA-256 digest, in hexadecimal digits."""


class NewReference(RequestModel):
    """A reference to register."""

    example: ClassVar[dict[str, Any]] = {
        "size": 1,
        "dimension": 2,
        "distribution": {"kind": "normal"},
    }

    size: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)] = Field(
        description=meaning(Reference, "size")
    )
    dimension: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)] = Field(
        description=meaning(Reference, "dimension")
    )
    projected_from: Annotated[int, Field(ge=2, le=2**31 - 1, strict=True)] | None = Field(
        default=None,
        description=f"{meaning(Reference, 'projected_from')} Only for sealed references.",
    )
    distribution: Distribution = Field(description=meaning(Reference, "distribution"))
    disclosure: ReferenceDisclosure = Field(
        default="open", description=meaning(Reference, "disclosure")
    )
    seed: Seed | None = Field(
        default=None,
        description=f"{meaning(Reference, 'seed')} Absent in an open one: the service draws it.",
    )
    commitment: Commitment | None = Field(
        default=None,
        description=meaning(Reference, "commitment"),
    )

    @model_validator(mode="after")
    def _has_a_law_of_its_dimension(self) -> Self:
        law = self.distribution
        if isinstance(law, Normals) and len(law.mean) != self.dimension:
            raise ValueError(
                f"expected a normal distribution in {self.dimension} coordinates, as in "
                f"dimension; received one in {len(law.mean)}"
            )
        return self

    @model_validator(mode="after")
    def _matches_disclosure(self) -> Self:
        if self.disclosure == "sealed" and (self.seed is not None or self.commitment is None):
            raise ValueError("expected a commitment and no seed, because the reference is sealed")
        if self.disclosure == "open" and self.commitment is not None:
            raise ValueError("expected no commitment, because the reference is open")
        if self.projected_from is not None:
            if self.disclosure == "open":
                raise ValueError("expected no projected_from, because the reference is open")
            if self.projected_from <= self.dimension:
                raise ValueError("expected projected_from to be larger than dimension")
        return self

"""What clients send about references."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from app.kit.bodies import Body
from wassay.models import Distribution

SEED_BITS = 128


def _fits(seed: str) -> str:
    if int(seed) >= 2**SEED_BITS:
        raise ValueError(f"expected a seed below 2**{SEED_BITS}")
    return str(int(seed))


Seed = Annotated[
    str, StringConstraints(pattern=r"^[0-9]{1,39}$", strict=True), AfterValidator(_fits)
]
"""A whole number below 2¹²⁸ in decimal digits."""


class NewReference(Body):
    """γ to register: by its parameters; without a seed, the service draws one."""

    size: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    dimension: Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
    distribution: Distribution
    seed: Seed | None = Field(default=None, description="Below 2**128, in decimal digits.")

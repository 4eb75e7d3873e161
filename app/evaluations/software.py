"""What computed a result."""

from functools import cache
from importlib.metadata import version

PACKAGES = ("wassay", "numpy", "scipy", "POT", "numba")


@cache
def software() -> dict[str, str]:
    """Return the versions of what computes; reading them takes longer than a small solve."""
    return {name: version(name) for name in PACKAGES}

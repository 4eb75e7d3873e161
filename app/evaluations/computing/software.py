"""What computed a result."""

from functools import cache
from importlib.metadata import version

from wassay import __version__

PACKAGES = ("numpy", "scipy", "POT", "numba")


@cache
def software() -> dict[str, str]:
    """Return the versions of what computes; reading them takes longer than a small solve."""
    return {"wassay": __version__, **{name: version(name) for name in PACKAGES}}

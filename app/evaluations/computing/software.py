"""The versions of the packages that compute results."""

from functools import cache
from importlib.metadata import version

from wassay import __version__

PACKAGES = ("numpy", "scipy", "POT", "numba")


@cache
def software() -> dict[str, str]:
    """Return the versions of the packages that compute results; cached, because reading is slow."""
    return {"wassay": __version__, **{name: version(name) for name in PACKAGES}}

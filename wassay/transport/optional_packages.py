"""Check that the solver's optional dependencies are installed."""

from importlib.util import find_spec

from wassay.transport.errors import SolverMissing

PACKAGES = ("numba", "ot", "psutil", "scipy")
"""Packages that the extra `solver` installs."""


def require_solver(what: str) -> None:
    """Raise if a package that the solver needs is not installed.

    Parameters
    ----------
    what : str
        What needs the solver, such as ``"clustering"``. The error message begins with it.

    Raises
    ------
    SolverMissing
        If the extra `solver` is not installed.
    """
    if any(find_spec(package) is None for package in PACKAGES):
        raise SolverMissing(f"{what} needs the solver: pip install 'wassay[solver]'")

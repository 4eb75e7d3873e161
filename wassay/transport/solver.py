"""Whether the solver's packages are here: the extra `solver` installs them."""

from importlib.util import find_spec

from wassay.transport.errors import SolverMissing

PACKAGES = ("numba", "ot", "psutil", "scipy")


def require_solver(what: str) -> None:
    """Raise if a package that the solver needs is not installed.

    Parameters
    ----------
    what : str
        Begins the error's sentence: what needs the solver.

    Raises
    ------
    SolverMissing
    """
    if any(find_spec(package) is None for package in PACKAGES):
        raise SolverMissing(f"{what} needs the solver: pip install 'wassay[solver]'")

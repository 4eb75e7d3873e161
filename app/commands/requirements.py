"""Check that the operating system and the installed packages can run the service."""

from importlib.util import find_spec

_SERVER = ("alembic", "dbos", "fastapi", "sqlalchemy", "uvicorn")
_POSIX = ("fcntl", "resource")


def installed() -> bool:
    """Return whether the packages of the extra `server` are installed."""
    return all(find_spec(package) is not None for package in _SERVER)


def require_service() -> None:
    """Raise if the service cannot run here.

    Raises
    ------
    ModuleNotFoundError
        If the operating system is not POSIX, or a package is missing.
    """
    if any(find_spec(module) is None for module in _POSIX):
        raise ModuleNotFoundError(
            "the service needs a POSIX system, such as Linux or macOS. On Windows, run the "
            "service in WSL or in a container; the SDK runs on Windows, too"
        )
    if not installed():
        raise ModuleNotFoundError("the service needs its packages: pip install 'wassay[server]'")

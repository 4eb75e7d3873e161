"""What must be on a machine before the service's modules can be imported."""

from importlib.util import find_spec

_SERVER = ("alembic", "dbos", "fastapi", "sqlalchemy", "uvicorn")
_POSIX = ("fcntl", "resource")


def installed() -> bool:
    """Whether the extra `server` is."""
    return all(find_spec(package) is not None for package in _SERVER)


def require_service() -> None:
    """Raise if the service cannot run here.

    Raises
    ------
    ModuleNotFoundError
    """
    if any(find_spec(module) is None for module in _POSIX):
        raise ModuleNotFoundError(
            "the service needs a POSIX system, such as Linux or macOS: on Windows, run it in WSL "
            "or in a container. The SDK works here."
        )
    if not installed():
        raise ModuleNotFoundError("the service needs its packages: pip install 'wassay[server]'")

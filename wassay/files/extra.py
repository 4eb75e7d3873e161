"""Require pyarrow, which reads tables and which the extra `tables` installs."""

from wassay.errors import PackageMissing


def require_pyarrow() -> None:
    """Raise if pyarrow is not installed.

    Raises
    ------
    PackageMissing
        If pyarrow is not installed; the message says how to install it.
    """
    try:
        import pyarrow as pa  # noqa: F401
    except ModuleNotFoundError as error:
        raise PackageMissing(
            "tables need pyarrow: pip install 'wassay[tables]'", name=error.name
        ) from error

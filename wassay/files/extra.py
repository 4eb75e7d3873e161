"""pyarrow, which reads tables, is an extra."""


def require_pyarrow() -> None:
    """Check that pyarrow is there.

    Raises
    ------
    ModuleNotFoundError
        If it is not; says how to install it.
    """
    try:
        import pyarrow as pa  # noqa: F401
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "tables need pyarrow: pip install 'wassay[tables]'", name=error.name
        ) from error

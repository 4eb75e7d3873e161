"""Limits on how much is read from a file.

A file whose header tells its number of rows is checked before its rows are read.
"""

from __future__ import annotations

from wassay.files.errors import Unreadable

MOST_VALUES = 2**28
"""The largest number of values in memory: 2 GiB as float64."""


def require_readable(rows: int, columns: int, most_rows: int | None, *, more: bool = False) -> None:
    """Raise if a file has too many rows or values.

    Parameters
    ----------
    rows, columns : int
        The numbers of rows and columns of the file.
    most_rows : int or None
        The largest number of rows; None to limit only the number of values.
    more : bool
        Whether `rows` is only the number of rows counted so far.

    Raises
    ------
    Unreadable
        If the file has more than `most_rows` rows, or more than `MOST_VALUES` values.
    """
    received = f"{'more than ' if more else ''}{rows:,} rows"
    if most_rows is not None and rows > most_rows:
        raise Unreadable(
            f"expected at most {most_rows:,} rows, received {received}: draw some of them "
            f"(sample={most_rows}, --sample {most_rows})"
        )
    if rows * columns > MOST_VALUES:
        most = max(1, MOST_VALUES // columns)
        raise Unreadable(
            f"expected at most {MOST_VALUES:,} values in memory, received {received} of "
            f"{columns:,}: draw {most:,} rows or fewer (sample={most}, --sample {most}), or leave "
            "out columns"
        )

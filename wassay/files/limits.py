"""Limits on what is read from a file, checked before memory is allocated."""

from __future__ import annotations

from wassay.files.errors import Unreadable

MOST_VALUES = 2**28
"""The most values of a table: 2 GiB as float64."""


def require_readable(rows: int, columns: int, most_rows: int | None, *, more: bool = False) -> None:
    """Raise if a file has too many rows.

    Parameters
    ----------
    rows, columns : int
    most_rows : int or None
        None for as many as fit into memory.
    more : bool
        Whether `rows` have been counted so far, and the file may have more.

    Raises
    ------
    Unreadable
        If it has more than `most_rows`, or more than 2²⁸ values.
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

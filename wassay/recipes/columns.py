"""A column of a frame, in the same form whatever library the frame comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

ColumnType: TypeAlias = Literal[
    "number", "integer", "boolean", "date", "datetime", "text", "array", "empty"
]


@dataclass(frozen=True, eq=False)
class Column:
    """The name, type and values of a column.

    Attributes
    ----------
    name : str
    type : ColumnType
    values : ndarray, shape (n,) or (n, …)
        float64 for numbers, integers and booleans; days since 1970 for dates and datetimes; Python
        strings for text; float64 of two or more dimensions for arrays. Rows without a value hold an
        arbitrary one.
    missing : ndarray of bool, shape (n,)
        Which rows have no value.
    order : tuple of str or None
        The categories in their order, if the frame declares an order.
    index : bool
        Whether the frame says that the column is its index, which names the rows.
    """

    name: str
    type: ColumnType
    values: NDArray[Any]
    missing: NDArray[np.bool_]
    order: tuple[str, ...] | None = None
    index: bool = False

    def __len__(self) -> int:
        return len(self.missing)


def quoted(names: Iterable[str], most: int = 8) -> str:
    """Return names in quotes, separated by commas; if there are many, only the first ones."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(map(repr, listed[:most])) + more


def texts_of(column: Column) -> NDArray[Any]:
    """Return values as text that does not depend on the library: 1 for 1 and 1.0, true for True.

    Numbers are written as JavaScript and JSON write them, dates as days since 1970.
    """
    texts = np.empty(len(column), dtype=object)
    if column.type == "text":
        texts[:] = column.values
    elif column.type == "boolean":
        texts[:] = ["true" if value else "false" for value in column.values]
    else:
        texts[:] = [_number_text(value) for value in column.values.tolist()]
    return texts


def _number_text(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)

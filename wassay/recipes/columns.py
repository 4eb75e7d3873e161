"""A column of a table, in one form for tables of pandas, polars, pyarrow and numpy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.errors import RecipeError

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
        Python strings for text, and float64 for all other types. Dates and datetimes are days since
        1970. Rows without a value hold an arbitrary one.
    missing : ndarray of bool, shape (n,)
        Which rows have no value.
    order : tuple of str or None
        The categories, lowest first; None if the frame declares no order.
    index : bool
        Whether the frame marks the column as its index.
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
    """Return the first `most` names in quotes, separated by commas, and the number of others."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(map(repr, listed[:most])) + more


def texts_of(column: Column) -> NDArray[Any]:
    """Return the values as text: 1 for 1 and 1.0, true for True, days since 1970 for dates.

    Other numbers are written as Python's `repr` writes them.

    Raises
    ------
    RecipeError
        If the column holds arrays.
    """
    if column.type == "array":
        raise RecipeError(
            f"expected a number, a date or a text in each row of column {column.name!r}, received "
            "arrays: name another column, or give a field of arrays the kind vector or image"
        )
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


def is_number(text: str) -> bool:
    """Return whether Python's `float` reads a text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True

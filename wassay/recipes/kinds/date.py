"""The kinds `date` and `datetime`: dates and times, encoded as days since 1970."""

import datetime as dt
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column
from wassay.recipes.days import days_since_1970
from wassay.recipes.errors import RecipeError, UnreadableError
from wassay.recipes.kinds.numeric import Numeric


class Date(Numeric):
    """A date, as the number of days since 1970-01-01."""

    schema_type: ClassVar[str] = "date"
    kind: Literal["date"] = "date"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return whole days since 1970, without the time of day."""
        return np.floor(_days(column))


class Datetime(Numeric):
    """A date and time, as days since 1970-01-01 00:00 UTC; the default time zone is UTC."""

    schema_type: ClassVar[str] = "datetime"
    kind: Literal["datetime"] = "datetime"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return days since 1970, with their fraction."""
        return _days(column)


def holds_dates(column: Column) -> bool:
    """Return whether all texts are dates, such as 2026-11-28 or 2026-11-28T14:30:00Z."""
    texts = column.values[~column.missing].tolist()
    try:
        return all(text[4:5] == text[7:8] == "-" and _moment(text) for text in texts)
    except ValueError:
        return False


def _moment(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text.strip())


def _days(column: Column) -> NDArray[np.float64]:
    if column.type in ("date", "datetime", "empty") or not len(column):
        return column.values
    days = np.zeros(len(column))
    if column.type != "text":
        raise RecipeError(
            f"expected dates in column {column.name!r}, received {column.type}: convert the column"
        )
    odd = np.zeros(len(column), dtype=np.bool_)
    for row in np.flatnonzero(~column.missing):
        try:
            days[row] = days_since_1970(_moment(column.values[row]))
        except ValueError:
            odd[row] = True
    if odd.any():
        raise UnreadableError(
            f"expected dates in column {column.name!r}, received "
            f"{column.values[int(np.argmax(odd))][:40]!r}: write them as 2026-11-28 or "
            "2026-11-28T14:30:00Z",
            odd,
        )
    return days

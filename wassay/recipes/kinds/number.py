"""Numbers."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.numeric import Numeric


class Number(Numeric):
    """A number, such as a length or an amount of money."""

    schema_type: ClassVar[str] = "number"
    kind: Literal["number"] = "number"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return the numbers of a column."""
        return numbers(column)


def numbers(column: Column) -> NDArray[np.float64]:
    """Return the numbers of a column.

    Raises
    ------
    RecipeError
        If it holds something else.
    """
    if column.type not in ("number", "integer", "boolean", "empty"):
        shown = f", such as {_not_a_number(column)!r}" if column.type == "text" else ""
        raise RecipeError(
            f"expected numbers in column {column.name!r}, received {column.type}{shown[:60]}: "
            "convert the column"
        )
    return column.values


def _not_a_number(column: Column) -> str:
    """Return a text that is not a number; if all are numbers, any of them."""
    texts: list[str] = column.values[~column.missing].tolist()
    return next((text for text in texts if not is_number(text)), texts[0])


def is_number(text: str) -> bool:
    """Whether a text is a number, as Python writes it."""
    try:
        float(text)
    except ValueError:
        return False
    return True

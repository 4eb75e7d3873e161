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
        shown = f", such as {column.values[~column.missing][0]!r}" if column.type == "text" else ""
        raise RecipeError(
            f"expected numbers in column {column.name!r}, received {column.type}{shown[:60]}: "
            "convert the column"
        )
    return column.values

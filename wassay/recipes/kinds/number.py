"""The kind `number`: numbers that need not be whole."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column, is_number
from wassay.recipes.errors import RecipeError, UnreadableError
from wassay.recipes.kinds.numeric import Numeric


class Number(Numeric):
    """A number, such as a length or an amount of money."""

    schema_type: ClassVar[str] = "number"
    kind: Literal["number"] = "number"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return the numbers of a column."""
        return numbers(column)


def numbers(column: Column) -> NDArray[np.float64]:
    """Return the numbers of a column; true and false count as 1 and 0.

    Raises
    ------
    RecipeError
        If the column holds something else.
    """
    if column.type in ("number", "integer", "boolean", "empty"):
        return column.values
    if column.type != "text":
        raise RecipeError(
            f"expected numbers in column {column.name!r}, received {column.type}: convert the "
            "column"
        )
    odd = _not_numbers(column)
    shown = f", such as {column.values[int(np.argmax(odd))]!r}"
    raise UnreadableError(
        f"expected numbers in column {column.name!r}, received text{shown[:60]}: convert the "
        "column",
        odd,
    )


def _not_numbers(column: Column) -> NDArray[np.bool_]:
    """Mark the rows whose text is no number; if there are none, mark all rows with a value."""
    odd = np.array(
        [
            not absent and not is_number(text)
            for text, absent in zip(column.values.tolist(), column.missing.tolist(), strict=True)
        ]
    )
    return odd if odd.any() else ~column.missing

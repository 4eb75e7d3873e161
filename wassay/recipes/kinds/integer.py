"""The kind `integer`: whole numbers."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column
from wassay.recipes.kinds.number import numbers
from wassay.recipes.kinds.numeric import Numeric


class Integer(Numeric):
    """A whole number, such as an age or a count."""

    schema_type: ClassVar[str] = "integer"
    kind: Literal["integer"] = "integer"

    def read(self, column: Column) -> NDArray[np.float64]:
        """Return the numbers of a column. They need not be whole: counts may have been averaged."""
        return numbers(column)

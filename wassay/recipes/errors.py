"""The errors that recipes raise."""

import numpy as np
from numpy.typing import NDArray

from wassay.errors import WassayError
from wassay.recipes.odd_rows import first_rows, in_rows


class RecipeError(WassayError, ValueError):
    """A recipe or a frame is not what was expected; the message says what to do."""


class UnreadableError(RecipeError):
    """Values of a column are not of its field's kind.

    Parameters
    ----------
    sentence : str
        What was expected, what was received, and what to do.
    odd : ndarray of bool, shape (n,)
        Which rows hold such values.
    """

    def __init__(self, sentence: str, odd: NDArray[np.bool_]) -> None:
        super().__init__(sentence + in_rows(first_rows(odd), int(odd.sum())))
        self.sentence = sentence
        self.odd = odd

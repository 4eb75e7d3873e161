"""Facts of a table's rows, which an audit compares with what an attack finds."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Fact:
    """A number or a yes-or-no statement about each row of a table, taken from one column.

    Attributes
    ----------
    field : str
        The name of the column.
    words : str
        The fact in words, such as "'species' is 'Gentoo'".
    values : ndarray, shape (n,)
        The numbers; for a yes-or-no fact, 1 where it holds and 0 elsewhere.
    known : ndarray of bool, shape (n,)
        The rows for which the fact is known.
    """

    field: str
    words: str
    values: NDArray[np.float64]
    known: NDArray[np.bool_]

    @property
    def is_yes_or_no(self) -> bool:
        """Whether all known values are 0 or 1."""
        return bool(np.isin(self.values[self.known], (0.0, 1.0)).all())

    def at(self, rows: NDArray[np.intp]) -> Fact:
        """Return the fact for some of the rows, in their order."""
        return replace(self, values=self.values[rows], known=self.known[rows])

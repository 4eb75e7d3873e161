"""Transport costs ‖x − y‖^p as solvers see them, whole or in blocks, whatever they come from."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Power: TypeAlias = Literal[1, 2]
"""p of W_p and of the cost ‖·‖^p."""

Real = TypeVar("Real", np.float32, np.float64)

MAX_BLOCK_ENTRIES = 2**22
"""Of a matrix that need not be held whole, so many are computed or read at a time."""

ROUNDING_OF_FLOAT32 = 2.0**-24


@runtime_checkable
class Cost(Protocol):
    """An (n, m) matrix of costs that need not exist in memory."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""

    def block(self, start: int, stop: int) -> NDArray[np.float64]:
        """Rows start … stop − 1, shape (stop − start, m)."""

    def float32_block(self, start: int, stop: int) -> NDArray[np.float32]:
        """The same rows in float32, for steps whose result is checked in float64 afterwards."""

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Single entries, one for each pair."""

    def only(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Cost:
        """The costs of some rows and columns, both ascending."""

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """Bounds of the costs of rows start … stop − 1 from below and from above.

        The larger |bound| is not much above the largest |cost|. Fails if a cost is not finite.
        """

    def float32_error(self, largest: float) -> float:
        """How far an entry in float32 may be from the cost; no |cost| is above the largest."""

    def line(self) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Coordinates of the rows and columns, where they are known to be points of a line."""

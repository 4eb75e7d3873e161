"""Validate the entries of an array block by block, in bounded memory."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..http.problems import Problem
from . import npy
from .problems import InvalidEntry, InvalidWeights

WEIGHT_TOLERANCE = {"<f8": 1e-9, "<f4": 1e-6}
"""How far the sum of weights may be from 1, by dtype: the rounding error of weights in that dtype.
"""


@dataclass(frozen=True)
class Contents:
    """The values that an array may contain besides weights: points or costs.

    Attributes
    ----------
    name : str
        The JSON member that contains the entries.
    entry : str
        What error messages call one entry.
    non_negative : bool
        Whether entries must not be negative.
    largest : float
        The largest magnitude that an entry may have.
    """

    name: str
    entry: str
    non_negative: bool
    largest: float


# No sum of squares of such entries overflows float64, and no difference of potentials.
POINTS = Contents("points", "coordinate", non_negative=False, largest=1e75)
COSTS = Contents("costs", "cost", non_negative=True, largest=1e150)


@dataclass(frozen=True)
class RowWeights:
    """A summary of the weights of an array's rows.

    Attributes
    ----------
    digest : str
        SHA-256 of the weights. Arrays with equal digests have equal weights.
    effective_rows : int
        The effective number of rows, 1/Σp², where p are the weights.
    """

    digest: str
    effective_rows: int


class ArrayCheck:
    """Check the entries and the weights of an `.npy` body, block by block.

    Verify the body's digest before calling `finish`, so that a body damaged in transit is refused
    as damaged.

    Parameters
    ----------
    contents
        Whether the entries are points or costs.
    weighted
        Whether the last column holds weights.
    require_extents
        Called with the header before memory is allocated. Raises if the declared shape is not
        allowed.
    """

    def __init__(
        self,
        contents: Contents,
        *,
        weighted: bool,
        require_extents: Callable[[npy.NpyHeader], None],
    ) -> None:
        self._contents = contents
        self._weighted = weighted
        self._require_extents = require_extents
        self._entries: _EntryCheck | None = None
        self._rest = b""
        self._problem: Problem | None = None

    def add(self, block: bytes) -> None:
        """Check the next block; `finish` raises its error. The first block must hold the header."""
        if self._problem is None:
            try:
                self._add(block)
            except Problem as problem:
                self._problem = problem

    def _add(self, block: bytes) -> None:
        if self._entries is None:
            header = npy.parse_header(io.BytesIO(block))
            self._require_extents(header)
            self._entries = _EntryCheck(header, self._contents, weighted=self._weighted)
            block = block[header.offset :]
        block = self._rest + block if self._rest else block
        item = self._entries.dtype.itemsize
        entries = len(block) // item
        self._rest = block[entries * item :]
        if entries:
            self._entries.add(np.frombuffer(block, self._entries.dtype, entries))

    def finish(self) -> RowWeights:
        """Return a summary of the rows' weights, after the last block was added.

        Raises
        ------
        InvalidEntry
            If an entry is NaN or too large, or a cost or weight is negative. The message names the
            row and the column of the first such entry.
        InvalidWeights
            If the weights do not sum to 1 within `WEIGHT_TOLERANCE`.
        Problem
            If the header is malformed, or declares too many rows or columns.
        """
        if self._problem is not None:
            raise self._problem
        if self._entries is None:
            raise ValueError("expected at least one block")
        return self._entries.row_weights()


def split_weights(array: NDArray[Any], *, weighted: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Split a stored array into its entries (points or costs) and its weights.

    Returns
    -------
    entries
        (rows, columns), a view of the array without the column of weights.
    weights
        (rows,) float64 with sum 1: the normalised last column if `weighted`, else uniform weights.
    """
    if not weighted:
        return array, np.full(len(array), 1 / len(array))
    weights = np.array(array[:, -1], dtype=np.float64)
    return array[:, :-1], weights / weights.sum()


class _EntryCheck:
    """Check the entries of an array, given in the order of the file."""

    def __init__(self, header: npy.NpyHeader, contents: Contents, *, weighted: bool) -> None:
        self._header = header
        self._contents = contents
        self._weights = np.empty(header.rows, header.dtype) if weighted else None
        self._checked = 0
        self.dtype = np.dtype(header.dtype)

    def add(self, entries: NDArray[Any]) -> None:
        """Check the next entries; ignore entries beyond the declared shape.

        Raises
        ------
        InvalidEntry
            If an entry is not allowed.
        """
        header = self._header
        entries = entries[: header.rows * header.columns - self._checked]
        if not entries.size:
            return
        largest = self._contents.largest
        lowest = 0.0 if self._contents.non_negative else -largest
        # Compare Python floats, because the bound would become ∞ in float32. NaN fails both
        # comparisons.
        is_fine = lowest <= float(entries.min()) and float(entries.max()) <= largest
        if self._weights is not None:
            last_column = self._last_column(entries.size)
            weights = entries[last_column]
            first = self._row_and_column(last_column.start)[0]
            self._weights[first : first + weights.size] = weights
            is_fine = is_fine and not (weights < 0).any()
        if not is_fine:
            self._refuse(entries)
        self._checked += entries.size

    def row_weights(self) -> RowWeights:
        """Return a summary of the weights.

        Raises
        ------
        InvalidWeights
            If the weights do not sum to 1.
        """
        if self._weights is None:
            weights = np.full(self._header.rows, 1 / self._header.rows)
        else:
            _check_sum(self._weights)
            weights = self._weights.astype(np.float64, copy=False)
        effective = np.square(weights.sum()) / (weights @ weights)
        return RowWeights(
            hashlib.sha256(weights.data).hexdigest(),
            int(effective * (1 + WEIGHT_TOLERANCE["<f8"])),
        )

    def _last_column(self, size: int) -> slice:
        """Return the slice that selects the weights' column from the next `size` entries."""
        header = self._header
        if header.fortran_order:
            return slice(max(0, header.rows * (header.columns - 1) - self._checked), size)
        return slice((header.columns - 1 - self._checked) % header.columns, size, header.columns)

    def _row_and_column(self, offset: int) -> tuple[int, int]:
        """Return the row and column of the entry `offset` places after the next unchecked one."""
        index, header = self._checked + offset, self._header
        if header.fortran_order:
            column, row = divmod(index, header.rows)
            return row, column
        return divmod(index, header.columns)

    def _refuse(self, entries: NDArray[Any]) -> None:
        contents = self._contents
        acceptable = np.abs(entries.astype(np.float64)) <= contents.largest
        if contents.non_negative:
            acceptable &= entries >= 0
        elif self._weights is not None:
            last_column = self._last_column(entries.size)
            acceptable[last_column] &= entries[last_column] >= 0
        first = int(np.argmin(acceptable))
        row, column = self._row_and_column(first)
        value = float(entries[first])
        is_weight = self._weights is not None and column == self._header.columns - 1
        entry = "weight" if is_weight else contents.entry
        rule = _violated_rule(value, contents)
        raise InvalidEntry(
            f"Expected every {entry} to be {rule}; received {value} at row {row}, column {column} "
            "(counted from 0). Correct this entry, or leave out its row.",
            expected=rule,
            received=str(value),
            index=[row, column],
        )


def _violated_rule(value: float, contents: Contents) -> str:
    if not np.isfinite(value):
        return "a finite number"
    if abs(value) > contents.largest:
        return f"of magnitude at most {contents.largest:g}"
    return "non-negative"


def _check_sum(weights: NDArray[Any]) -> None:
    total = float(np.sum(weights, dtype=np.float64))
    tolerance = WEIGHT_TOLERANCE[weights.dtype.str]
    if total == 0:
        raise InvalidWeights(
            "Expected weights that sum to 1; received only zeros. Give at least one row a "
            "positive weight.",
            expected=1.0,
            received=0.0,
        )
    if abs(total - 1) > tolerance:
        raise InvalidWeights(
            f"Expected weights that sum to 1 within {tolerance:g}; received a sum of {total!r}. "
            "Divide the weights by their sum, in double precision.",
            expected=1.0,
            received=total,
            tolerance=tolerance,
        )

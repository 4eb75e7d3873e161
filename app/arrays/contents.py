"""What the entries of an array must be, checked on the file in blocks of bounded memory."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.arrays import npy
from app.arrays.problems import InvalidEntry, InvalidWeights

BLOCK_ENTRIES = 2**20
WEIGHT_TOLERANCE = {"<f8": 1e-9, "<f4": 1e-6}
"""How far weights may sum from 1: the rounding of n weights written in that precision."""


@dataclass(frozen=True)
class Contents:
    """What an array holds beside its weights: points of a measure, or costs.

    `name` is the member that carries them in JSON.
    """

    name: str
    non_negative: bool


POINTS = Contents("points", non_negative=False)
COSTS = Contents("costs", non_negative=True)


def check_entries(file: Path, contents: Contents, *, weighted: bool) -> str:
    """Check every entry of a well-formed `.npy` file, and the weights in its last column.

    Returns
    -------
    weights_digest
        The SHA-256 of the weights: two arrays with the same digest weigh their rows alike.

    Raises
    ------
    InvalidEntry
        An entry is NaN or infinite, a cost or a weight is negative; the first such entry in
        reading order is named by its row and column.
    InvalidWeights
        The weights are all zero, or do not sum to 1 within `WEIGHT_TOLERANCE`.
    """
    array = npy.memory_map(file)
    rows, columns = array.shape
    height = max(1, BLOCK_ENTRIES // columns)
    for top in range(0, rows, height):
        _check_block(np.asarray(array[top : top + height]), top, contents, weighted=weighted)
    if weighted:
        _check_sum(np.asarray(array[:, -1]))
    return hashlib.sha256(split_weights(array, weighted=weighted)[1].tobytes()).hexdigest()


def split_weights(array: NDArray[Any], *, weighted: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Split an array as stored into its points or costs and its weights.

    Returns
    -------
    entries
        (rows, columns) without the column of weights; a view, in the precision that came.
    weights
        (rows,) float64 that sum to 1 in double precision: uniform unless `weighted`.
    """
    if not weighted:
        return array, np.full(len(array), 1 / len(array))
    weights = np.array(array[:, -1], dtype=np.float64)
    return array[:, :-1], weights / weights.sum()


def _check_block(block: NDArray[Any], top: int, contents: Contents, *, weighted: bool) -> None:
    finite = np.isfinite(block)
    acceptable = finite
    if contents.non_negative:
        acceptable = finite & (block >= 0)
    elif weighted:
        acceptable = finite.copy()
        acceptable[:, -1] &= block[:, -1] >= 0
    if acceptable.all():
        return
    row, column = np.unravel_index(int(np.argmin(acceptable)), block.shape)
    value = float(block[row, column])
    what = "weight" if weighted and column == block.shape[1] - 1 else contents.name[:-1]
    rule = "a finite number" if not np.isfinite(value) else "a number that is not negative"
    index = [top + int(row), int(column)]
    raise InvalidEntry(
        f"Expected every {'coordinate' if what == 'point' else what} to be {rule}; "
        f"at row {index[0]}, column {index[1]} (counted from 0) came {value}.",
        expected=rule,
        came=str(value),
        index=index,
    )


def _check_sum(weights: NDArray[Any]) -> None:
    total = float(np.sum(weights, dtype=np.float64))
    tolerance = WEIGHT_TOLERANCE[weights.dtype.str]
    if total == 0:
        raise InvalidWeights("Expected weights that sum to 1; all are 0.", expected=1.0, came=0.0)
    if abs(total - 1) > tolerance:
        raise InvalidWeights(
            f"Expected weights that sum to 1 within {tolerance:g}; their sum is {total!r}. "
            "Divide them by their sum, in double precision.",
            expected=1.0,
            came=total if np.isfinite(total) else str(total),
            tolerance=tolerance,
        )

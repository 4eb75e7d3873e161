"""Validate the entries of an array file block by block, in bounded memory."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import npy
from .problems import InvalidEntry, InvalidWeights

WEIGHT_TOLERANCE = {"<f8": 1e-9, "<f4": 1e-6}
"""How far the sum of weights may be from 1, by dtype: the rounding error of weights in that dtype.
"""


@dataclass(frozen=True)
class Contents:
    """What an array contains besides weights: points or costs, and what they may be.

    Attributes
    ----------
    name : str
        The JSON member that contains the entries.
    entry : str
        What error messages call one entry.
    non_negative : bool
        Whether entries must not be negative.
    largest : float
        The largest magnitude of an entry, such that sums of squares and differences of potentials
        do not overflow float64.
    """

    name: str
    entry: str
    non_negative: bool
    largest: float


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
        The effective number of rows, 1/Σp².
    """

    digest: str
    effective_rows: int


def check_entries(file: Path, contents: Contents, *, weighted: bool) -> RowWeights:
    """Check every entry of a well-formed `.npy` file, and the weights in its last column.

    Returns
    -------
    RowWeights

    Raises
    ------
    InvalidEntry
        If an entry is NaN or too large, or a cost or weight is negative. The message names the row
        and column of the first such entry in the file.
    InvalidWeights
        If the weights do not sum to 1 within `WEIGHT_TOLERANCE`.
    """
    header = npy.read_header(file)
    weights = np.full(header.rows, 1 / header.rows, dtype=header.dtype if weighted else "<f8")
    last = header.columns - 1
    for top, left, block in npy.blocks(file):
        height, width = block.shape
        holds_weights = weighted and left + width > last
        _check_block(block, top, left, contents, last_is_weights=holds_weights)
        if holds_weights:
            weights[top : top + height] = block[:, -1]
    if weighted:
        _check_sum(weights)
    weights = weights.astype(np.float64, copy=False)
    effective = np.square(weights.sum()) / (weights @ weights)
    return RowWeights(
        hashlib.sha256(weights.data).hexdigest(),
        int(effective * (1 + WEIGHT_TOLERANCE["<f8"])),
    )


def split_weights(array: NDArray[Any], *, weighted: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Split a stored array into its entries (points or costs) and its weights.

    Returns
    -------
    entries
        (rows, columns), a view of the array without the column of weights, in the stored precision.
    weights
        (rows,) float64 with sum 1: the last column, normalised, or uniform weights unless
        `weighted`.
    """
    if not weighted:
        return array, np.full(len(array), 1 / len(array))
    weights = np.array(array[:, -1], dtype=np.float64)
    return array[:, :-1], weights / weights.sum()


def _check_block(
    block: NDArray[Any], top: int, left: int, contents: Contents, *, last_is_weights: bool
) -> None:
    # In float64, because the bound would be ∞ in float32.
    acceptable = np.abs(block) <= np.float64(contents.largest)
    if contents.non_negative:
        acceptable &= block >= 0
    elif last_is_weights:
        acceptable[:, -1] &= block[:, -1] >= 0
    if acceptable.all():
        return
    order: Literal["C", "F"] = "F" if block.flags.f_contiguous else "C"
    first = int(np.argmin(acceptable.ravel(order)))
    row, column = (int(index) for index in np.unravel_index(first, block.shape, order))
    value = float(block[row, column])
    is_weight = last_is_weights and column == block.shape[1] - 1
    entry = "weight" if is_weight else contents.entry
    rule = _violated_rule(value, contents)
    raise InvalidEntry(
        f"Expected every {entry} to be {rule}; received {value} at row {top + row}, column "
        f"{left + column} (counted from 0). Correct this entry, or leave out its row.",
        expected=rule,
        received=str(value),
        index=[top + row, left + column],
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

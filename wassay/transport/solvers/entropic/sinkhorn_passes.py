"""What annealing does with blocks of rows, compiled: every cost is read once and stays in cache."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.compiled import compiled_in_any_order

_DOUBLINGS = np.float32(1 / np.log(2))
_LEAST, _MOST = np.float32(-43), np.float32(57)
"""Of the exponents of two that are told apart."""

_BIAS, _DIGITS = np.float32(127), np.int32(23)
"""Of float32: an integer k, with the bias added and moved by the digits, has the bits of 2ᵏ."""

_HALF, _ONE = np.float32(0.5), np.float32(1)
_C1, _C2 = np.float32(0.6931472), np.float32(0.2402265)
_C3, _C4 = np.float32(0.0555041), np.float32(0.0096181)
"""ln 2 to powers over factorials: 2ˣ to five digits for |x| ≤ 1/2."""

_TINY, _HUGE = np.float32(1e-30), np.float32(1e30)
_HIGHEST = np.float32(np.finfo(np.float32).max)


@compiled_in_any_order
def iterate(
    block: NDArray[np.float32],
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    row_weights: NDArray[np.float32],
    column_weights: NDArray[np.float32],
    squared_weights: NDArray[np.float32],
    epsilon: np.float32,
    column_sums: NDArray[np.float32],
) -> float:
    """Update the potentials of a block's rows, and add up what its columns' need.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs.
    f, row_weights : ndarray, shape (h,)
        Of the block's rows; f is updated in place.
    g, column_weights, squared_weights : ndarray, shape (m,)
    epsilon : float
    column_sums : ndarray, shape (m,)
        Is added Σ_i a_i exp((f_i + g_j − C_ij)/ε) with the new f.

    Returns
    -------
    float
        Σ_i a_i Σ_j (share of column j in row i)².
    """
    sharpness = _DOUBLINGS / epsilon
    kernel = np.empty_like(g)
    concentration = 0.0
    for row in range(len(block)):
        total, squares = np.float32(0), np.float32(0)
        for column in range(len(g)):
            entry = _power_of_two((f[row] + g[column] - block[row, column]) * sharpness)
            kernel[column] = entry
            total += entry * column_weights[column]
            squares += entry * entry * squared_weights[column]
        total = min(max(total, _TINY), _HUGE)
        f[row] -= epsilon * np.log(total)
        sent = row_weights[row] / total
        concentration += sent / total * squares
        for column in range(len(g)):
            column_sums[column] += sent * kernel[column]
    return concentration


@compiled_in_any_order
def extend(
    block: NDArray[np.float32],
    known: NDArray[np.intp],
    g: NDArray[np.float32],
    epsilon: np.float32,
    f: NDArray[np.float32],
    column_least: NDArray[np.float32],
) -> None:
    """Give rows the potentials that some columns' imply, and lower all columns' to the c-transform.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs.
    known : ndarray of int, shape (l,)
        Columns whose potentials g are known.
    g : ndarray, shape (l,)
    epsilon : float
    f : ndarray, shape (h,)
        Set to −ε log of the mean of exp((g_j − C_ij)/ε).
    column_least : ndarray, shape (m,)
        Lowered to C_ij − f_i.
    """
    sharpness = _DOUBLINGS / epsilon
    reduced = np.empty_like(g)
    for row in range(len(block)):
        least = _HIGHEST
        for place in range(len(g)):
            reduced[place] = block[row, known[place]] - g[place]
            least = min(least, reduced[place])
        total = np.float32(0)
        for place in range(len(g)):
            total += _power_of_two((least - reduced[place]) * sharpness)
        f[row] = least - epsilon * np.log(total / np.float32(len(g)))
        for column in range(len(column_least)):
            column_least[column] = min(column_least[column], block[row, column] - f[row])


@compiled_in_any_order
def cheap_places(
    block: NDArray[np.float32], g: NDArray[np.float32], dearest: NDArray[np.float32]
) -> NDArray[np.intp]:
    """Where a block, read row by row, has C_ij − g_j of at most what its row says.

    Parameters
    ----------
    block : ndarray, shape (h, m)
        Costs.
    g : ndarray, shape (m,)
    dearest : ndarray, shape (h,)
    """
    places = np.empty(block.size, np.intp)
    found = place = 0
    for row in range(len(block)):
        for column in range(len(g)):
            # Written in any case, and kept by counting it: a branch would be guessed wrong often.
            places[found] = place
            found += block[row, column] - g[column] <= dearest[row]
            place += 1
    return places[:found].copy()


@compiled_in_any_order
def _power_of_two(exponent: np.float32) -> np.float32:
    """2 to the exponent, to five digits, without a branch: eight at once where the machine can."""
    bounded = min(max(exponent, _LEAST), _MOST)
    biased = np.int32(bounded + _BIAS + _HALF)
    rest = bounded - (np.float32(biased) - _BIAS)
    mantissa = _ONE + rest * (_C1 + rest * (_C2 + rest * (_C3 + rest * _C4)))
    power: np.float32 = mantissa * np.int32(biased << _DIGITS).view(np.float32)
    return power

"""Integer points whose exact transport costs are computed and proven in integers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Points = NDArray[np.int64]


def exact_cost(x: Points, y: Points, x_times: Points, y_times: Points) -> Fraction:
    """Return the exact W_2² of two measures on integer points."""
    # Points repeated by their weights make the problem one of assignment.
    rows, columns = np.repeat(x, x_times, axis=0), np.repeat(y, y_times, axis=0)
    costs = squared_distances(rows, columns)
    assert len(rows) == len(columns)
    assert int(costs.max()) < 2**53  # float64 represents each cost exactly
    _, partner = linear_sum_assignment(costs.astype(np.float64))
    others = costs[:, partner]
    own = others.diagonal()
    f = np.zeros(len(rows), dtype=np.int64)
    for _ in range(len(rows) + 1):
        lowered = np.minimum(f, (f + others - own).min(axis=1))
        if np.array_equal(lowered, f):
            break
        f = lowered
    g = own - f
    # Feasible potentials that equal the assignment in value prove that the assignment is optimal.
    assert (f[:, None] + g <= others).all()
    assert sum(map(int, f)) + sum(map(int, g)) == sum(map(int, own))
    return Fraction(sum(map(int, own)), len(rows))


def squared_distances(x: Points, y: Points) -> Points:
    """Return the exact squared distances of all pairs."""
    found: Points = np.zeros((len(x), len(y)), dtype=np.int64)
    for own, other in zip(x.T, y.T, strict=True):
        found += np.square(own[:, None] - other)
    return found


def _mostly_zero(rng: np.random.Generator, size: int) -> Points:
    points = np.zeros((size, 3), dtype=np.int64)
    some = rng.random(size) < 0.2
    points[some] = rng.integers(-3, 4, (np.count_nonzero(some), 3))
    return points


def _mostly_zero_amounts(rng: np.random.Generator, size: int) -> Points:
    return _mostly_zero(rng, size) * rng.integers(1, 10**6, (size, 1))


def _mostly_zero_with_codes(rng: np.random.Generator, size: int) -> Points:
    points = _mostly_zero(rng, size)
    points[: size // 10] = 10**7
    return points


def _one_hot_with_an_amount(rng: np.random.Generator, size: int) -> Points:
    categories = np.eye(4, dtype=np.int64)[rng.integers(4, size=size)]
    return np.column_stack([categories, rng.integers(0, 10**5, size)])


def _rare_flags(rng: np.random.Generator, size: int) -> Points:
    return (rng.random((size, 6)) < 0.1).astype(np.int64)


def _coded(share: float, code: int) -> Callable[[np.random.Generator, int], Points]:
    """Return a function that draws points, of which a share has the code in one column."""

    def coded(rng: np.random.Generator, size: int) -> Points:
        points = rng.integers(0, 5, (size, 3))
        points[: round(share * size), 1] = code
        return points

    return coded


def _codes_in_every_column(rng: np.random.Generator, size: int) -> Points:
    """Draw points with codes in every column, equally many in every draw of one size."""
    points = rng.integers(0, 5, (size, 4))
    for column, start in enumerate(range(0, 4 * (size // 10), size // 10)):
        points[start : start + size // 10, column] = 10**7
    return points


def _codes_anywhere(rng: np.random.Generator, size: int) -> Points:
    points = rng.integers(0, 5, (size, 4))
    points[rng.random(points.shape) < 0.15] = 999_999
    return points


def _several_codes(rng: np.random.Generator, size: int) -> Points:
    points = rng.integers(0, 50, (size, 3))
    points[: size // 10, 0] = 9_999_999
    points[size // 10 : size // 5, 1] = -999_999
    return points


def _many_sizes(rng: np.random.Generator, size: int) -> Points:
    return np.rint(10.0 ** rng.uniform(0, 6, (size, 2))).astype(np.int64)


KINDS: dict[str, Callable[[np.random.Generator, int], Points]] = {
    "80 % zero rows": _mostly_zero,
    "80 % zero rows, amounts": _mostly_zero_amounts,
    "80 % zero rows, codes": _mostly_zero_with_codes,
    "one-hot and an amount": _one_hot_with_an_amount,
    "rare flags": _rare_flags,
    "a tenth coded 999999": _coded(0.1, 999_999),
    "half coded 9999999": _coded(0.5, 9_999_999),
    "four fifths coded": _coded(0.8, 10**7),
    "codes in every column": _codes_in_every_column,
    "codes anywhere": _codes_anywhere,
    "several codes": _several_codes,
    "amounts of many sizes": _many_sizes,
}

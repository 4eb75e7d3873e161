"""Find columns that other columns determine, so that the same fact is in several fields."""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column

Codes = NDArray[np.intp]

_MOST_VALUES, _ROWS_PER_VALUE = 50, 5
"""The most values of a column of few, and the fewest rows for each."""

_FEWEST_OTHERS = 5
"""The fewest rows without the most frequent value: of fewer, chance decides."""

_MOST_EXCEPTIONS, _LEAST_GAIN = 0.02, 0.1
"""A column follows from others if guesses by them are wrong for at most 2 % of the rows, and for at
most a tenth of those that guessing the most frequent value gets wrong."""

_MOST_TOGETHER = 12
"""Pairs of columns are looked at together if there are at most this many columns of few values."""

_CURVE_ROWS, _FEWEST_CURVE_ROWS = 300, 50
_CURVE, _LINE, _NARROW = 0.003, 1e-3, 0.05
"""Numbers are on a curve if a quadratic is 0 up to this share, unless they are nearly on a line."""


def says_the_same(column: Column, others: Mapping[str, Column]) -> str | None:
    """Return the name of another column that has one value where this one has, or None.

    Columns of few values may name them otherwise. Numbers of many values must be those of the
    other in another unit: a line, up to rounding.
    """
    codes = _codes(column)
    if codes is None or not _varies(codes):
        return None
    for name, other in others.items():
        found = _codes(other)
        if found is None or not np.array_equal(column.missing, other.missing):
            continue
        if _few(codes) and _few(found):
            if _count(codes) == _count(found) == _pairs(codes, found):
                return name
        elif _ordered(column) and _ordered(other) and _on_a_line(column, other):
            return name
    return None


def told_gaps(columns: Mapping[str, Column]) -> dict[str, str]:
    """Return the columns whose gaps another column tells, with the name of the other.

    Either an earlier column has no value in the same rows, or each value of a column of few goes
    with a value here in all of its rows or in none.
    """
    told: dict[str, str] = {}
    for name, column in columns.items():
        if not column.missing.any():
            continue
        for other_name, other in columns.items():
            if other_name == name:
                continue
            if np.array_equal(other.missing, column.missing):
                if other_name not in told and _before(other_name, name, columns):
                    told[name] = other_name
                    break
                continue
            codes = _codes(other)
            if codes is None or not _few(codes):
                continue
            if _pairs(codes, column.missing.astype(np.intp)) == _count(codes):
                told[name] = other_name
                break
    return told


def determined(columns: Mapping[str, Column], told: Set[str]) -> list[str]:
    """Return a clause for each column that another determines, and for each two on a curve.

    `told` are the columns whose gaps have no coordinate.
    """
    few = {
        name: codes
        for name, column in columns.items()
        if (codes := _codes(column)) is not None and _few(codes)
    }
    numbers = {
        name: column for name, column in columns.items() if _ordered(column) and name not in few
    }
    clauses, following = [], set()
    for (name, codes), (by, deciding) in permutations(few.items(), 2):
        present = ~columns[by].missing if by in told else np.ones(len(codes), dtype=np.bool_)
        if (by, name) not in following and _follows(codes[present], deciding[present]):
            clauses.append(f"{name!r} follows from {by!r}")
            following.add((name, by))
    alone = {name for name, _ in following}
    if len(few) <= _MOST_TOGETHER:
        for name, codes in few.items():
            for first, second in combinations(few, 2):
                together = few[first] * (int(few[second].max()) + 2) + few[second]
                if name not in {first, second} | alone and _follows(codes, together):
                    clauses.append(f"{name!r} follows from {first!r} and {second!r} together")
                    alone |= {name, first, second}
    clauses += [
        f"{name!r} follows from {by!r}"
        for name, codes in few.items()
        for by, column in numbers.items()
        if _is_a_step(codes, column)
    ]
    clauses += [
        f"{first!r} and {second!r} lie on a curve"
        for first, second in combinations(numbers, 2)
        if _on_a_curve(numbers[first], numbers[second])
    ]
    return clauses


def _codes(column: Column) -> Codes | None:
    """Return the place of each row's value among all, and −1 for no value; None of arrays."""
    if column.type == "array":
        return None
    codes = np.full(len(column), -1)
    codes[~column.missing] = np.unique(column.values[~column.missing], return_inverse=True)[1]
    return codes


def _few(codes: Codes) -> bool:
    """Return whether a column has few values, each of them in several rows on average."""
    present = codes[codes >= 0]
    return 0 < _count(present) <= min(_MOST_VALUES, len(present) // _ROWS_PER_VALUE)


def _varies(codes: Codes) -> bool:
    if not len(codes):
        return False
    return len(codes) - int(np.bincount(codes + 1).max()) >= _FEWEST_OTHERS


def _count(codes: Codes) -> int:
    return len(np.unique(codes))


def _follows(codes: Codes, deciding: Codes) -> bool:
    """Return whether values follow from those of another column, in nearly all rows."""
    if not _varies(codes) or _count(deciding) * _ROWS_PER_VALUE > len(codes):
        return False
    values, places = np.unique(deciding, return_inverse=True)
    counts = np.zeros((len(values), int(codes.max()) + 2), dtype=np.intp)
    np.add.at(counts, (places, codes + 1), 1)
    wrong = len(codes) - int(counts.max(axis=1).sum())
    by_frequency = len(codes) - int(counts.sum(axis=0).max())
    return wrong <= min(_MOST_EXCEPTIONS * len(codes), _LEAST_GAIN * by_frequency)


def _is_a_step(codes: Codes, numbers: Column) -> bool:
    """Return whether each value of a column goes with a range of numbers of its own."""
    present = (codes >= 0) & ~numbers.missing
    codes, values = codes[present], numbers.values[present]
    if not _varies(codes):
        return False
    order = np.lexsort([codes, values])
    sorted_codes, sorted_values = codes[order], values[order]
    changes = np.flatnonzero(np.diff(sorted_codes))
    apart = sorted_values[changes] < sorted_values[changes + 1]
    return len(changes) == _count(codes) - 1 and bool(apart.all())


def _pairs(first: Codes, second: Codes) -> int:
    """Return how many different pairs of values there are."""
    return _count(first * (int(second.max(initial=0)) + 2) + second)


def _on_a_line(first: Column, second: Column) -> bool:
    """Return whether one column of numbers is the other in another unit."""
    present = ~first.missing
    both = np.column_stack([first.values[present], second.values[present]]).astype(np.float64)
    if not np.isfinite(both).all() or not (np.ptp(both, axis=0) > 0).all():
        return False
    x, y = ((both - both.mean(axis=0)) / both.std(axis=0)).T
    return float(np.abs(y - np.sign(x @ y) * x).max()) < _LINE


def _ordered(column: Column) -> bool:
    return column.type in ("number", "integer", "date", "datetime")


def _before(first: str, second: str, columns: Mapping[str, Column]) -> bool:
    names = list(columns)
    return names.index(first) < names.index(second)


def _on_a_curve(first: Column, second: Column) -> bool:
    """Return whether a quadratic equation holds for two columns of numbers."""
    rows = np.flatnonzero(~(first.missing | second.missing))
    if len(rows) < _FEWEST_CURVE_ROWS:
        return False
    rows = rows[:: max(1, len(rows) // _CURVE_ROWS)]
    both = np.column_stack([first.values[rows], second.values[rows]])
    if not np.isfinite(both).all() or not (np.ptp(both, axis=0) > 0).all():
        return False
    both = (both - both.mean(axis=0)) / both.std(axis=0)
    axes, extents, _ = np.linalg.svd(both, full_matrices=False)
    if extents[1] < _LINE * extents[0]:
        return False
    x, y = axes.T * np.sqrt(len(rows))  # white, or else all that are nearly on a line were on one
    if min(np.ptp(np.quantile(each, (0.25, 0.75))) for each in (x, y)) < _NARROW:
        return False  # an outlier decides where the axes are
    terms = np.column_stack([np.ones(len(rows)), x, y, x * x, x * y, y * y])
    terms /= np.sqrt(np.square(terms).sum(axis=0))
    return float(np.linalg.svd(terms, compute_uv=False)[-1]) < _CURVE

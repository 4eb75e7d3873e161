"""Find columns that other columns determine.

If several fields state the same fact, an attacker can read it even from rotated points.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column

Codes = NDArray[np.intp]

_MOST_VALUES, _ROWS_PER_VALUE = 50, 5
"""A column has few values if at most 50 are distinct, with at least five rows each on average."""

_FEWEST_OTHERS = 5
"""If fewer rows than this differ from a column's most frequent value, it may follow by chance."""

_MOST_EXCEPTIONS, _LEAST_GAIN = 0.02, 0.1
"""A column follows from others if guesses from these are wrong in at most 2 % of the rows. Guessing
the most frequent value must be wrong at least ten times as often.
"""

_MOST_TOGETHER = 12
"""Whether two columns together determine a third is tested only for at most this many columns."""

_SAMPLED = 2000
"""The number of rows in a sample of a large table."""

_FEWEST_CURVE_ROWS = 50
_CURVE, _LINE, _NARROW = 0.003, 1e-3, 0.05
"""Two columns lie on a curve if the least singular value of their quadratic terms is below 0.003.
Columns nearly on a line (up to 1e-3) or with an interquartile range below 0.05 are not tested."""


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """A column to be compared with others."""

    column: Column

    @cached_property
    def codes(self) -> Codes | None:
        """The rank of each row's value among the distinct values, from 0; −1 without a value.

        None for a column of arrays.
        """
        if self.column.type == "array":
            return None
        codes = np.full(len(self.column), -1)
        present = ~self.column.missing
        codes[present] = np.unique(self.column.values[present], return_inverse=True)[1]
        return codes

    @cached_property
    def has_few_values(self) -> bool:
        """Whether at most 50 values are distinct, with five rows or more for each on average."""
        if self.codes is None:
            return False
        values, present = int(self.codes.max(initial=-1)) + 1, int((~self.column.missing).sum())
        return 0 < values <= min(_MOST_VALUES, present // _ROWS_PER_VALUE)

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers, dates or datetimes."""
        return self.column.type in ("number", "integer", "date", "datetime")


def equivalent_column(column: ComparedColumn, others: Mapping[str, ComparedColumn]) -> str | None:
    """Return the name of another column that holds the same facts; None if there is none.

    Columns of few values must correspond one to one. Other columns of numbers or dates must be
    linear functions of each other.
    """
    # A column that hardly varies is equivalent to none.
    if column.codes is None or not _varies(column.codes):
        return None
    sample = _sampled_rows(len(column.codes))
    for name, other in others.items():
        if other.codes is None or not np.array_equal(column.column.missing, other.column.missing):
            continue
        if column.has_few_values and other.has_few_values:
            first, second = column.codes, other.codes
            if _one_to_one(first[sample], second[sample]) and _one_to_one(first, second):
                return name
        elif column.is_numeric and other.is_numeric:
            present = ~column.column.missing
            values, others_values = column.column.values[present], other.column.values[present]
            few = _sampled_rows(len(values))
            if _on_a_line(values[few], others_values[few]) and _on_a_line(values, others_values):
                return name
    return None


def revealed_missing(columns: Mapping[str, ComparedColumn]) -> dict[str, str]:
    """Map each column with missing values to another that tells in which rows they are missing.

    Columns of which no other column tells this are left out.
    """
    revealed: dict[str, str] = {}
    earlier: set[str] = set()
    for name, each in columns.items():
        missing = each.column.missing
        for by, other in columns.items() if missing.any() else ():
            if by == name:
                continue
            if np.array_equal(other.column.missing, missing):
                # Columns that lack values in the same rows tell of each other, but one has to keep
                # its indicator.
                reveals = by in earlier and by not in revealed
            else:
                # A column of few values tells, if rows with the same value all have or all lack a
                # value here.
                reveals = other.has_few_values and _decides(other.codes, missing.astype(np.intp))
            if reveals:
                revealed[name] = by
                break
        earlier.add(name)
    return revealed


def determined(columns: Mapping[str, ComparedColumn], imputed: Set[str]) -> list[str]:
    """Return clauses that say which columns others determine, such as "'a' follows from 'b'".

    `imputed` names the columns whose missing values get no indicator.
    """
    rows = _sampled_rows(max((len(each.column) for each in columns.values()), default=0))
    few = {
        name: each.codes[rows]
        for name, each in columns.items()
        if each.has_few_values and each.codes is not None
    }
    numbers = {
        name: (each.column.values[rows], ~each.column.missing[rows])
        for name, each in columns.items()
        if each.is_numeric and name not in few
    }
    clauses: list[str] = []
    following: set[tuple[str, str]] = set()
    for (name, codes), (by, deciding) in permutations(few.items(), 2):
        # Without an indicator, rows without a value in the column show nothing.
        shown = deciding >= 0 if by in imputed else np.ones(len(codes), dtype=np.bool_)
        if (by, name) not in following and _follows(codes[shown], deciding[shown]):
            clauses.append(f"{name!r} follows from {by!r}")
            following.add((name, by))
    explained = {name for name, _ in following}
    if len(few) <= _MOST_TOGETHER:
        for name, (first, second) in (
            (name, pair) for name in few for pair in combinations(few, 2) if name not in pair
        ):
            if name not in explained and _follows(few[name], _paired(few[first], few[second])):
                clauses.append(f"{name!r} follows from {first!r} and {second!r} together")
                explained |= {name, first, second}  # no further clause about any of the three
    clauses += [
        f"{name!r} follows from {by!r}"
        for name, codes in few.items()
        for by, (values, present) in numbers.items()
        if _is_a_step(codes[present & (codes >= 0)], values[present & (codes >= 0)])
    ]
    for first, second in combinations(numbers, 2):
        both = numbers[first][1] & numbers[second][1]
        if _on_a_curve(numbers[first][0][both], numbers[second][0][both]):
            clauses.append(f"{first!r} and {second!r} lie on a curve")
    return clauses


def _sampled_rows(rows: int) -> Codes:
    """Return at most 2,000 random indices of `rows` rows, the same in every call."""
    if rows <= _SAMPLED:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, _SAMPLED, replace=False))


def _varies(codes: Codes) -> bool:
    if not len(codes):
        return False
    return len(codes) - int(np.bincount(codes + 1).max()) >= _FEWEST_OTHERS


def _paired(first: Codes, second: Codes) -> Codes:
    """Return one code for the two codes of each row; a missing value counts as a value."""
    return (first + 1) * (int(second.max(initial=0)) + 2) + second + 1


def _decides(deciding: Codes | None, codes: Codes) -> bool:
    """Return whether all rows with the same `deciding` code have the same code in `codes`."""
    if deciding is None:
        return False
    return len(np.unique(_paired(deciding, codes))) == len(np.unique(deciding))


def _one_to_one(first: Codes, second: Codes) -> bool:
    """Return whether the codes of two columns correspond one to one."""
    return _decides(first, second) and _decides(second, first)


def _follows(codes: Codes, deciding: Codes) -> bool:
    """Return whether `deciding` determines `codes` in nearly all rows."""
    if not _varies(codes):
        return False
    values, places = np.unique(deciding, return_inverse=True)
    if len(values) * _ROWS_PER_VALUE > len(codes):
        return False
    counts = np.zeros((len(values), int(codes.max()) + 2), dtype=np.intp)
    np.add.at(counts, (places, codes + 1), 1)
    wrong = len(codes) - int(counts.max(axis=1).sum())
    wrong_by_frequency = len(codes) - int(counts.sum(axis=0).max())
    return wrong <= min(_MOST_EXCEPTIONS * len(codes), _LEAST_GAIN * wrong_by_frequency)


def _is_a_step(codes: Codes, numbers: NDArray[np.float64]) -> bool:
    """Return whether each code has a range of numbers to itself."""
    if not _varies(codes):
        return False
    order = np.lexsort([codes, numbers])
    sorted_codes, sorted_numbers = codes[order], numbers[order]
    changes = np.flatnonzero(np.diff(sorted_codes))
    apart = sorted_numbers[changes] < sorted_numbers[changes + 1]
    return len(changes) == len(np.unique(codes)) - 1 and bool(apart.all())


def _standardised(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return both columns with mean 0 and variance 1, shape (n, 2).

    Return no rows if a column is constant or has infinite values.
    """
    both = np.column_stack([first, second]).astype(np.float64)
    if not len(both) or not np.isfinite(both).all() or not (np.ptp(both, axis=0) > 0).all():
        return np.empty((0, 2))
    # Divided first: the squares of tiny numbers are 0, and those of huge ones infinite.
    both = both / np.abs(both).max(axis=0)
    return np.asarray((both - both.mean(axis=0)) / both.std(axis=0))


def _on_a_line(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Return whether one column is a linear function of the other, up to rounding."""
    x, y = _standardised(first, second).T
    return bool(len(x)) and float(np.abs(y - np.sign(x @ y) * x).max()) < _LINE


def _on_a_curve(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    """Return whether two columns of numbers lie on a quadratic curve, but not on a line."""
    both = _standardised(first, second)
    if len(both) < _FEWEST_CURVE_ROWS:
        return False
    axes, extents, _ = np.linalg.svd(both, full_matrices=False)
    if extents[1] < _LINE * extents[0]:
        return False
    x, y = axes.T * np.sqrt(len(both))  # whitened, so that a narrow cloud does not pass for a line
    if min(np.ptp(np.quantile(each, (0.25, 0.75))) for each in (x, y)) < _NARROW:
        return False  # a few outliers decide the axes
    terms = np.column_stack([np.ones(len(both)), x, y, x * x, x * y, y * y])
    terms /= np.sqrt(np.square(terms).sum(axis=0))
    return float(np.linalg.svd(terms, compute_uv=False)[-1]) < _CURVE

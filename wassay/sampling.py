"""Draw a sample of the rows of a table that is read in batches."""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wassay.errors import WassayError

MOST_STRATA = 1_000
"""The largest number of classes to stratify by."""

_CHUNK = 2**16
"""The number of rows whose random keys are drawn at a time."""

_NUMBERS, _KEYS = np.dtype(np.int64), np.dtype(np.uint64)


class CannotSample(WassayError, ValueError):  # noqa: N818 - reads better
    """A sample cannot be drawn; the message says what was expected and what to do."""


@dataclass(frozen=True)
class Sample:
    """How many rows to draw from a table, uniformly and without replacement.

    The same seed draws the same rows of the same table, whatever the table's format.

    Parameters
    ----------
    rows : int
        The number of rows to draw; all rows if the table has fewer.
    seed : int, optional
        By default a random seed.
    by : str, optional
        The name of a column of classes. Each class keeps nearly its share of the rows, and has at
        least one drawn row.

    Raises
    ------
    CannotSample
        If `rows` is not a whole number of at least 1, or `seed` is not a whole number of at least
        0.
    """

    rows: int
    seed: int = field(default_factory=lambda: secrets.randbits(32))
    by: str | None = None

    def __post_init__(self) -> None:
        for name, least in (("rows", 1), ("seed", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise CannotSample(
                    f"expected {name} of a sample to be a whole number of at least {least}, "
                    f"received {value!r}"
                )


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """The rows of a table that were drawn.

    Attributes
    ----------
    numbers : ndarray of int
        The numbers of the drawn rows in the table, from 0, ascending.
    total : int
        The number of rows of the table.
    seed : int
        The seed that the rows were drawn with.
    """

    numbers: NDArray[np.int64]
    total: int
    seed: int

    def __str__(self) -> str:
        return f"{len(self.numbers):,} of {self.total:,} rows, drawn with seed {self.seed}"


class Drawing:
    """Draws rows from a table that is added batch by batch.

    The size of the batches does not change which rows are drawn.
    """

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        # Each row gets a random key, which depends only on the seed and the row's number. The rows
        # with the smallest keys are drawn, from all rows or from each class.
        self._bits = np.random.Philox(key=sample.seed % 2**128)
        self._total = 0
        self._strata: dict[Hashable, _Stratum] = {}

    def add(self, rows: int) -> None:
        """Add this many rows, which are not divided into classes."""
        stratum = self._strata.setdefault(None, _Stratum(self._sample.rows))
        for start in range(0, rows, _CHUNK):
            numbers, keys = self._next(min(_CHUNK, rows - start))
            stratum.add(numbers, keys)

    def add_classes(self, classes: Iterable[Hashable]) -> None:
        """Add rows, given the class of each row. Rows without a class (None) form one class.

        Raises
        ------
        CannotSample
            If there are more classes than rows to draw, or more than `MOST_STRATA`.
        """
        codes: dict[Hashable, int] = {}
        row_codes = np.array([codes.setdefault(each, len(codes)) for each in classes], np.int64)
        numbers, keys = self._next(len(row_codes))
        for name, code in codes.items():
            stratum = self._strata.setdefault(name, _Stratum(self._sample.rows))
            own = row_codes == code
            stratum.add(numbers[own], keys[own])
        most = min(MOST_STRATA, self._sample.rows)
        if len(self._strata) > most:
            raise CannotSample(
                f"expected at most {most:,} classes in column {self._sample.by!r} to draw "
                f"{self._sample.rows:,} rows by, received more: draw more rows, or name another "
                f"column (at most {MOST_STRATA:,} classes)"
            )

    def drawn(self) -> DrawnRows:
        """Return the drawn rows. Call this after the last row is added."""
        strata = list(self._strata.values())
        counts = _rows_per_class([each.size for each in strata], self._sample.rows)
        numbers = [each.smallest(count) for each, count in zip(strata, counts, strict=True)]
        found = np.sort(np.concatenate(numbers)) if numbers else np.zeros(0, _NUMBERS)
        return DrawnRows(found, self._total, self._sample.seed)

    def _next(self, rows: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        numbers = np.arange(self._total, self._total + rows)
        self._total += rows
        return numbers, self._bits.random_raw(rows)


class _Stratum:
    """The rows of one class, each with a random key; keeps the rows with the smallest keys."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._numbers = [np.zeros(0, _NUMBERS)]
        self._keys = [np.zeros(0, _KEYS)]
        self._held = 0
        self.size = 0

    def add(self, numbers: NDArray[np.int64], keys: NDArray[np.uint64]) -> None:
        self.size += len(numbers)
        self._held += len(numbers)
        self._numbers.append(numbers)
        self._keys.append(keys)
        # Hold at most twice the rows to draw, and one batch, in memory.
        if self._held > 2 * self._most:
            self._keep(self._most)

    def smallest(self, count: int) -> NDArray[np.int64]:
        """Return the numbers of the `count` rows with the smallest keys, and drop all others."""
        self._keep(count)
        return self._numbers[0]

    def _keep(self, count: int) -> None:
        numbers, keys = np.concatenate(self._numbers), np.concatenate(self._keys)
        # Sort by key, then by row number, so that equal keys do not make the result ambiguous.
        kept = np.lexsort((numbers, keys))[:count]
        self._numbers, self._keys, self._held = [numbers[kept]], [keys[kept]], len(kept)


def _rows_per_class(sizes: list[int], rows: int) -> list[int]:
    """Return how many rows to draw from each class: nearly its share, and at least one.

    `sizes` has the number of rows of each class.
    """
    total = sum(sizes)
    if rows >= total:
        return sizes
    counts = [max(1, rows * size // total) for size in sizes]
    # Round up the largest remainders; among equal remainders, those of the classes that came first.
    remainders = [rows * size % total for size in sizes]
    first = sorted(range(len(sizes)), key=lambda each: -remainders[each])
    for each in first[: max(0, rows - sum(counts))]:
        counts[each] += 1
    # Rare classes were raised to one row, so the sum can exceed `rows`: take from the largest.
    while sum(counts) > rows:
        counts[counts.index(max(counts))] -= 1
    return counts

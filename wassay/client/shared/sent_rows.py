"""Shuffle rows before they are sent, and keep track of which row of the table each point is.

Without shuffling, the order of points could tell receivers what the coordinates do not.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.errors import InvalidArgumentError
from wassay.sampling import DrawnRows
from wassay.transport import Measure
from wassay.transport.data.labels import class_indices

_KEY_BYTES = 8


@dataclass(frozen=True, eq=False)
class SentRows:
    """Which row of a table each sent point is; `str` says how many of the rows were sent.

    Attributes
    ----------
    numbers : ndarray of int, shape (n,)
        The row of each point, from 0. An exact interpolation makes several points of one row.
    total : int
        The number of rows of the table.
    seed : int or None
        The seed of the sample; None if the rows are not a sample.
    """

    numbers: NDArray[np.int64]
    total: int
    seed: int | None = None

    @classmethod
    def of(cls, size: int, drawn: DrawnRows | None) -> Self:
        """Return the drawn rows, or all `size` rows if `drawn` is None, in the table's order."""
        if drawn is None:
            return cls(np.arange(size), size)
        return cls(drawn.numbers, drawn.total, drawn.seed)

    @classmethod
    def of_document(cls, document: Any) -> Self:
        """Build sent rows from the value of their property `document`.

        Raises
        ------
        ValueError, KeyError, TypeError
            If `document` has another form.
        """
        numbers, seed = np.array(document["numbers"], dtype=np.int64), document["seed"]
        return cls(numbers, int(document["total"]), None if seed is None else int(seed))

    @property
    def document(self) -> dict[str, Any]:
        """The rows as values that can be written as JSON."""
        return {"total": self.total, "seed": self.seed, "numbers": self.numbers.tolist()}

    def __str__(self) -> str:
        count = len(np.unique(self.numbers))
        sample = "" if self.seed is None else f", drawn with seed {self.seed}"
        return f"{count:,} of {self.total:,} rows{sample}"

    @property
    def is_sample(self) -> bool:
        """Whether the rows are a random sample and not the whole table."""
        return self.seed is not None

    @property
    def points_by_row(self) -> NDArray[np.intp]:
        """The numbers of the points as sent, sorted by the points' rows in the table."""
        return np.argsort(self.numbers, kind="stable")

    def only(self, points: NDArray[np.intp] | None) -> SentRows:
        """Return the rows of some points, or of all points if `points` is None."""
        return self if points is None else replace(self, numbers=self.numbers[points])

    def of_points(self, points: Iterable[int]) -> list[int]:
        """Return the row of the table for each of the points, given their numbers as sent.

        Raises
        ------
        InvalidArgumentError
            If a number is not that of a sent point.
        """
        numbers, sent = list(points), len(self.numbers)
        for number in numbers:
            if isinstance(number, bool) or not 0 <= number < sent:
                raise InvalidArgumentError(
                    f"expected numbers of points from 0 to {sent - 1:,}, as they were sent, "
                    f"received {number!r}"
                )
        rows: list[int] = self.numbers[np.array(numbers, dtype=np.intp)].tolist()
        return rows


def in_sending_order(
    measure: Measure, labels: ArrayLike | None, drawn: DrawnRows | None, *, keeps_order: bool
) -> tuple[Measure, NDArray[Any] | None, SentRows]:
    """Put points and their labels in a new secret order, unless `keeps_order` is true.

    Parameters
    ----------
    measure : Measure
    labels : array_like, shape (n,), optional
        One label for each point.
    drawn : DrawnRows, optional
        Which rows of the table the points are; by default all rows.
    keeps_order : bool
        Whether to keep the order of the table.

    Returns
    -------
    measure : Measure
        The points in the order in which to send them.
    labels : ndarray, shape (n,), or None
        The labels in the same order; None without labels.
    rows : SentRows
        Which row of the table each point is.
    """
    rows = SentRows.of(measure.size, drawn)
    order = np.arange(measure.size) if keeps_order else secret_order(measure.size)
    if labels is not None:
        classes, index = class_indices(labels)
        labels = classes[index[order]]
    if not keeps_order:
        points = measure.points[order]
        points.flags.writeable = False  # so that Measure does not copy the array
        measure = Measure(points, measure.weights[order])
    return measure, labels, rows.only(order)


def secret_order(size: int) -> NDArray[np.intp]:
    """Draw a uniformly random order of rows that no other party can compute.

    The result has the numbers of the rows in the order in which to send them.

    """
    # Do not use a seeded generator: whoever knows some of the records sees their new positions, and
    # could compute from these the positions of all other records.
    keys = np.frombuffer(secrets.token_bytes(_KEY_BYTES * size), dtype=np.uint64)
    return np.argsort(keys, kind="stable")

"""Put rows in a secret order before they are sent, and know which row of the table each point is.

Rows of a table are often sorted, by date or by class. Receivers of points would read from their
order what they cannot read from their coordinates.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.errors import InvalidArgumentError
from wassay.sampling import DrawnRows
from wassay.transport import Measure
from wassay.transport.data.labels import class_indices

_KEY_BYTES = 8


@dataclass(frozen=True, eq=False)
class SentRows:
    """Which row of a table each sent point is; `str` says how many rows of how many were sent.

    Attributes
    ----------
    numbers : ndarray of int, shape (n,)
        The row of each point, from 0. Of an exact interpolation, several points are of one row.
    total : int
        How many rows the table has.
    seed : int or None
        The seed of the sample, if the rows are one.
    """

    numbers: NDArray[np.int64]
    total: int
    seed: int | None = None

    @classmethod
    def of(cls, size: int, drawn: DrawnRows | None) -> Self:
        """Return the rows of a whole table of some size, or those that were drawn, in its order."""
        if drawn is None:
            return cls(np.arange(size), size)
        return cls(drawn.numbers, drawn.total, drawn.seed)

    @classmethod
    def of_document(cls, document: Any) -> Self:
        """Return the rows of a `document`.

        Raises
        ------
        ValueError, KeyError, TypeError
            If it is something else.
        """
        numbers, seed = np.array(document["numbers"], dtype=np.int64), document["seed"]
        return cls(numbers, int(document["total"]), None if seed is None else int(seed))

    @property
    def document(self) -> dict[str, Any]:
        """The rows as a document of JSON."""
        return {"total": self.total, "seed": self.seed, "numbers": self.numbers.tolist()}

    def __str__(self) -> str:
        count = len(np.unique(self.numbers))
        sample = "" if self.seed is None else f", drawn with seed {self.seed}"
        return f"{count:,} of {self.total:,} rows{sample}"

    @property
    def is_sample(self) -> bool:
        """Whether the rows were drawn from the table."""
        return self.seed is not None

    @property
    def points(self) -> NDArray[np.intp]:
        """The points in the order of the table's rows."""
        return np.argsort(self.numbers, kind="stable")

    def only(self, points: NDArray[np.intp] | None) -> SentRows:
        """Return the rows of some points, or of all if none are named."""
        return self if points is None else replace(self, numbers=self.numbers[points])

    def of_points(self, points: Iterable[int]) -> list[int]:
        """Return the row of the table that each point is, by the points' numbers as sent.

        Raises
        ------
        InvalidArgumentError
            If no point has one of the numbers.
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


def to_send(
    measure: Measure, labels: ArrayLike | None, drawn: DrawnRows | None, *, keeps_order: bool
) -> tuple[Measure, NDArray[Any] | None, SentRows]:
    """Put points and their labels in a secret order, drawn anew, unless they keep the table's.

    Parameters
    ----------
    measure : Measure
    labels : array_like, shape (n,), optional
        Labels that fit the points.
    drawn : DrawnRows, optional
        Which rows of the table the points are, if these are a sample.
    keeps_order : bool

    Returns
    -------
    measure : Measure
    labels : ndarray, shape (n,), or None
    rows : SentRows
    """
    rows = SentRows.of(measure.size, drawn)
    order = np.arange(measure.size) if keeps_order else secret_order(measure.size)
    if labels is not None:
        classes, index = class_indices(labels)
        labels = classes[index[order]]
    if not keeps_order:
        points = measure.points[order]
        points.flags.writeable = False  # so that Measure does not copy them
        measure = Measure(points, measure.weights[order])
    return measure, labels, rows.only(order)


def secret_order(size: int) -> NDArray[np.intp]:
    """Draw an order of rows, each as probable as the others, that nobody can compute.

    Rows are sorted by keys of the operating system's random numbers. A generator with a seed would
    not do: who knows some records, and so where they were put, could compute where the others are.
    """
    keys = np.frombuffer(secrets.token_bytes(_KEY_BYTES * size), dtype=np.uint64)
    return np.argsort(keys, kind="stable")

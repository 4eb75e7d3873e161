"""Draw rows from a table in memory, and remember their row numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.arrays import is_array
from wassay.recipes.columns import texts_of
from wassay.recipes.errors import RecipeError
from wassay.recipes.frames import column_of
from wassay.sampling import CannotSample, Drawing, DrawnRows, Sample
from wassay.transport import Measure


@dataclass(frozen=True, eq=False)
class Sampled:
    """Rows that were drawn from a table.

    Attributes
    ----------
    rows : DataFrame, mapping of columns, array, or Measure
        The drawn rows, in the order of the table.
    drawn : DrawnRows
        The numbers of the drawn rows in the table.
    """

    rows: Any
    drawn: DrawnRows

    def __str__(self) -> str:
        return str(self.drawn)


def sample_rows(rows: Any, sample: Sample) -> Sampled:
    """Draw some rows of a table or an array in memory.

    Parameters
    ----------
    rows : DataFrame, mapping of columns, array_like, or Measure
    sample : Sample
        How many rows to draw, and how.

    Returns
    -------
    Sampled

    Raises
    ------
    RecipeError
        If the column to stratify by does not exist or has too many classes.
    """
    drawing = Drawing(sample)
    try:
        if sample.by is None:
            drawing.add(count_rows(rows))
        else:
            column = column_of(rows, sample.by)
            texts = texts_of(column).tolist()
            drawing.add_classes(
                None if absent else text
                for text, absent in zip(texts, column.missing.tolist(), strict=True)
            )
    except CannotSample as error:
        raise RecipeError(str(error)) from error
    drawn = drawing.drawn()
    return Sampled(take(rows, drawn.numbers), drawn)


def count_rows(rows: Any) -> int:
    """Return the number of rows of a table, a mapping of columns, an array or a measure.

    Raises
    ------
    RecipeError
        If `rows` is none of these.
    """
    if isinstance(rows, Measure):
        return rows.size
    if isinstance(rows, Mapping):
        return max((count_rows(values) for values in rows.values()), default=0)
    shape = getattr(rows, "shape", None)  # also for sparse matrices, which have no length
    if shape:
        return int(shape[0])
    if isinstance(rows, str | Path) or not hasattr(rows, "__len__"):
        raise RecipeError(
            f"expected rows, as a DataFrame, a mapping of columns or an array, received {rows!r}: "
            "read a file first (wassay.files.read_points or pandas.read_csv)"
        )
    return len(rows)


def take(rows: Any, numbers: NDArray[np.int64]) -> Any:
    """Return the rows of a table, mapping, array or measure that have the given numbers.

    The weights of a measure are divided by their new sum.
    """
    if isinstance(rows, Measure):
        weights = rows.weights[numbers]
        return Measure(rows.points[numbers], weights / weights.sum())
    if isinstance(rows, Mapping):
        return {name: take(values, numbers) for name, values in rows.items()}
    if is_array(rows) and not hasattr(rows, "name"):
        return (rows.tocsr() if hasattr(rows, "tocsr") else rows)[numbers]
    return _taken(rows, numbers)


def _taken(rows: Any, numbers: NDArray[np.int64]) -> Any:
    import narwhals.stable.v2 as nw

    if hasattr(rows, "take") and hasattr(rows, "schema"):  # pyarrow's `take` keeps metadata
        return rows.take(numbers)
    frame: Any = nw.from_native(rows, allow_series=True, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame | nw.Series):
        return frame[numbers.tolist()].to_native()
    return [rows[number] for number in numbers.tolist()]

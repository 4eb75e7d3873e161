"""List the facts of a table: each row's numbers, categories and missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.audit.facts import Fact
from wassay.recipes.columns import Column, texts_of
from wassay.recipes.frames import columns_of

_FEWEST, _MOST_VALUES = 5, 20
"""A yes-or-no fact must hold in at least 5 rows and fail in 5. Of a column's values, the 20 most
frequent can become such facts."""

_FEW_VALUES = 50
"""If a column has more distinct numbers than this, only frequent ones become yes-or-no facts."""

_FREQUENT = 0.05
"""A number is frequent if at least this share of the rows has it."""


def facts_of(table: Any) -> tuple[Fact, ...]:
    """Return the facts of all columns of a table.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame, pyarrow.Table, mapping or array

    Returns
    -------
    tuple of Fact
        For each column: whether the value is missing, whether it equals each of the 20 most
        frequent values, and the value of a number or a date. A yes-or-no fact is true of at least
        five rows, and false of at least five.

    Raises
    ------
    RecipeError
        If the table cannot be read.
    """
    return tuple(fact for column in columns_of(table).values() for fact in _of(column))


def _of(column: Column) -> Iterator[Fact]:
    name, present = column.name, ~column.missing
    if _FEWEST <= column.missing.sum() <= len(column) - _FEWEST:
        yield _yes_or_no(name, f"{name!r} has no value", column.missing)
    if column.type in ("array", "empty") or not present.any():
        return
    many = False
    if column.type not in ("text", "boolean"):
        many = len(np.unique(column.values[present])) > _FEW_VALUES
        yield Fact(name, repr(name), np.where(present, column.values, 0.0), present)
    texts = texts_of(column)
    counts = Counter(texts[present].tolist())
    # In a column of many numbers or dates, only values of 5 % of the rows become facts.
    fewest = max(_FEWEST, _FREQUENT * len(column)) if many else _FEWEST
    for value, count in counts.most_common(_MOST_VALUES):
        if fewest <= count <= len(column) - _FEWEST:
            yield _yes_or_no(name, f"{name!r} is {value!r}", present & (texts == value))


def _yes_or_no(name: str, words: str, holds: NDArray[np.bool_]) -> Fact:
    return Fact(name, words, holds.astype(np.float64), np.ones_like(holds))

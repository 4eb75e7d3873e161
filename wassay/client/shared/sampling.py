"""Draw a sample of the rows that a buyer or seller passes, and limit the number of rows."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.errors import InvalidArgumentError
from wassay.models import DEFAULT_MOST_POINTS
from wassay.recipes import PublicPart
from wassay.recipes.sampled import Sampled, count_rows, sample_rows
from wassay.sampling import CannotSample, DrawnRows, Sample

_VARIABLE = "WASSAY_MAX_POINTS"


def drawn_rows(
    rows: Any, sample: Sample | int | None, label: str | None = None
) -> tuple[Any, DrawnRows | None]:
    """Draw the sample that the caller asks for, if any.

    Parameters
    ----------
    rows : DataFrame, mapping of columns, array_like, Measure, or Sampled
    sample : Sample or int or None
        The sample to draw, or its number of rows; None to draw none.
    label : str, optional
        The column to stratify by if `sample` names no column.

    Returns
    -------
    rows : DataFrame, mapping of columns, array_like, or Measure
        The rows to use.
    drawn : DrawnRows or None
        Which rows of the table these are; None if no sample was drawn.

    Raises
    ------
    InvalidArgumentError
        If `rows` is a sample already and `sample` asks for another, or `sample` is not a whole
        number of at least 1.
    RecipeError
        If the column to stratify by does not exist or has too many classes.
    """
    if sample is None:
        return (rows.rows, rows.drawn) if isinstance(rows, Sampled) else (rows, None)
    if isinstance(rows, Sampled):
        raise InvalidArgumentError(
            f"expected rows to draw a sample from, received a sample ({rows}): leave out sample"
        )
    try:
        sample = sample if isinstance(sample, Sample) else Sample(sample)
    except CannotSample as error:
        raise InvalidArgumentError(str(error)) from error
    sampled = sample_rows(rows, sample if sample.by is not None else replace(sample, by=label))
    return sampled.rows, sampled.drawn


def drawn_labels(labels: ArrayLike, drawn: DrawnRows | None) -> ArrayLike:
    """Return the labels of the drawn rows; all labels if `drawn` is None.

    `labels` may be those of all rows of the table, or only of the drawn rows.
    """
    if drawn is None:
        return labels
    given: NDArray[Any] = np.asarray(labels)
    return given[drawn.numbers] if given.shape == (drawn.total,) else given


def label_of(public: PublicPart | None) -> str | None:
    """Return the name of a recipe's field with the role `label`; None if there is no such field."""
    fields = [] if public is None else public.fields
    return next((field.name for field in fields if field.role == "label"), None)


def most_rows() -> int:
    """Return the largest number of rows that the service takes.

    This is the value of WASSAY_MAX_POINTS; if it is not set, a service's default limit.

    Raises
    ------
    InvalidArgumentError
        If the variable is not a positive whole number.
    """
    value = os.environ.get(_VARIABLE, str(DEFAULT_MOST_POINTS))
    if not value.isdecimal() or int(value) < 1:
        raise InvalidArgumentError(
            f"expected {_VARIABLE} to be the service's limit on points, received "
            f"{value!r}: set it to a whole number, or unset it"
        )
    return int(value)


def require_row_limit(rows: Any) -> None:
    """Raise if there are more rows than the service takes; call this before making points of them.

    Raises
    ------
    InvalidArgumentError
        If there are more rows than `most_rows` returns.
    """
    most, count = most_rows(), count_rows(rows)
    if count > most:
        raise InvalidArgumentError(
            f"expected at most {most:,} rows, received {count:,}: draw some of them "
            f"(sample={most}, --sample {most}); if your service takes more, set {_VARIABLE}"
        )

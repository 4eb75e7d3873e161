"""Check and convert arguments of the SDK before anything is sent."""

import math
import re
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from pydantic import TypeAdapter, ValidationError

from wassay.errors import InvalidArgumentError
from wassay.models import Mode, Request
from wassay.modes import MODES
from wassay.readable_text import Line
from wassay.recipes.arrays import is_array, to_numpy
from wassay.redaction import redacted
from wassay.transport import Classes, Measure

T = TypeVar("T")

MOST_SHOWN = 100
"""The most characters of a wrong argument that a message shows."""

_LINE = TypeAdapter(Line)


def as_measure(points: ArrayLike | Measure) -> Measure:
    """Return a measure; an array of points becomes a measure with uniform weights.

    The array may be one of torch or JAX, or a sparse matrix.

    Raises
    ------
    RecipeError
        If the array cannot be converted to a numpy array, or has too many elements.
    """
    if isinstance(points, Measure):
        return points
    if is_array(points) and not isinstance(points, np.ndarray):
        return Measure(to_numpy(points))
    return Measure(points)


def described(value: object) -> str:
    """Describe a wrong argument in one short line, without API keys and passwords.

    If the argument is a number in quotation marks, the line says to remove the marks.
    """
    text = redacted(" ".join(repr(value).split()))
    text = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9.]+\s*", value):
        return f"{text}: leave out the quotation marks"
    return text


def as_list(values: Iterable[T], name: str) -> list[T]:
    """Return an iterable as a list.

    Raises
    ------
    InvalidArgumentError
        If `values` is a str or not iterable; the message calls the argument `name`.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidArgumentError(
            f"expected {name} to be a list, received {described(values)}: put it in brackets"
        )
    return list(values)


def as_line(value: object, name: str) -> str:
    """Return a title or label without surrounding blanks.

    Raises
    ------
    InvalidArgumentError
        If `value` is not one line of 1 to 200 characters, or has invisible characters; the message
        calls the argument `name`.
    """
    try:
        return _LINE.validate_python(value)
    except ValidationError as error:
        cause = error.errors()[0].get("ctx", {}).get("error", "write a line of that length")
        raise InvalidArgumentError(
            f"expected {name} to be a line of 1 to 200 characters, "
            f"received {described(value)}: {cause}"
        ) from error


def as_instance(value: object, kind: type[T], name: str) -> T:
    """Return `value`, or a new `kind()` if `value` is None.

    Raises
    ------
    InvalidArgumentError
        If `value` is of another type; the message calls the argument `name`.
    """
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise InvalidArgumentError(
            f"expected {name} to be a wassay.{kind.__name__}(...), received {described(value)}"
        )
    return value


def as_count(value: object, name: str, *, least: int = 1) -> int:
    """Return a whole number as an int.

    Raises
    ------
    InvalidArgumentError
        If `value` is not a whole number, or less than `least`; the message calls the argument
        `name`.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidArgumentError(
            f"expected {name} to be a whole number of at least {least}, received {described(value)}"
        )
    return int(value)


def as_positive(value: object, name: str) -> float:
    """Return a positive, finite number as a float.

    Raises
    ------
    InvalidArgumentError
        If `value` is something else; the message calls the argument `name`.
    """
    if not 0 < _as_number(value) < math.inf:
        raise InvalidArgumentError(
            f"expected {name} to be a positive, finite number, received {described(value)}"
        )
    return _as_number(value)


def as_amount(value: object, name: str) -> float:
    """Return a number of at least 0 as a float; it may be infinite.

    Raises
    ------
    InvalidArgumentError
        If `value` is something else; the message calls the argument `name`.
    """
    if not _as_number(value) >= 0:
        raise InvalidArgumentError(
            f"expected {name} to be a number of at least 0, received {described(value)}"
        )
    return _as_number(value)


def as_share(value: object, name: str) -> float:
    """Return a number strictly between 0 and 1 as a float.

    Raises
    ------
    InvalidArgumentError
        If `value` is something else; the message calls the argument `name`.
    """
    if not 0 < _as_number(value) < 1:
        raise InvalidArgumentError(
            f"expected {name} to be a number between 0 and 1, received {described(value)}"
        )
    return _as_number(value)


def as_sweep(sweep: Iterable[float]) -> list[float]:
    """Return the values of a sweep as floats.

    Raises
    ------
    InvalidArgumentError
        If `sweep` is a str or not iterable, or a value is not in (0, 1).
    """
    return [as_share(s, "an s of the sweep") for s in as_list(sweep, "sweep")]


def as_prices(prices: object) -> dict[str, float]:
    """Return prices, keyed by the ids or labels of contributions, as floats.

    Raises
    ------
    InvalidArgumentError
        If `prices` is not a mapping, or a price is not a number of at least 0.
    """
    if not isinstance(prices, Mapping):
        raise InvalidArgumentError(
            f"expected prices to map each contribution's id to a number, "
            f"received {described(prices)}"
        )
    return {name: as_amount(price, f"the price of {name}") for name, price in prices.items()}


def as_seller_weights(weights: object) -> dict[str, float]:
    """Return weights, keyed by the ids of contributions, as floats.

    Raises
    ------
    InvalidArgumentError
        If `weights` is not a mapping, or a weight is not a positive, finite number.
    """
    if not isinstance(weights, Mapping):
        raise InvalidArgumentError(
            "expected seller_weights to map each contribution's id to a number, received "
            f"{described(weights)}"
        )
    return {name: as_positive(weight, f"the weight of {name}") for name, weight in weights.items()}


def require_mode(request: Request, mode: Mode) -> None:
    """Raise unless a seller can contribute to a request in a mode.

    Raises
    ------
    InvalidArgumentError
        If the request does not take the mode, or this version of wassay does not know it.
    """
    if mode not in request.modes:
        raise InvalidArgumentError(
            f"request {request.id} takes contributions in mode {' or '.join(request.modes)}, "
            f"received {described(mode)}: pass mode={request.modes[0]!r}"
        )
    if mode not in MODES:
        raise InvalidArgumentError(
            f"expected one of the modes {', '.join(MODES)}, received {mode}: answer in one of "
            "them, or with a newer version of wassay"
        )


def require_answerable(request: Request, measure: Measure, labels: ArrayLike | None) -> None:
    """Raise unless raw points and their labels fit a request.

    Raises
    ------
    InvalidArgumentError
        If the request takes raw points of another dimension. Also if the request takes labels and
        `labels` is None, or takes no labels and `labels` is given.
    TransportError
        If a label is missing, or points and labels differ in number.
    """
    if request.projected_from not in {None, measure.dimension}:
        raise InvalidArgumentError(
            f"request {request.id} takes points of {request.projected_from} coordinates, which are "
            f"projected to {request.dimension} here, received points of {measure.dimension}: pass "
            "the raw points, with all coordinates"
        )
    if request.projected_from is None and measure.dimension != request.dimension:
        raise InvalidArgumentError(
            f"request {request.id} takes points of {request.dimension} coordinates, received "
            f"points of {measure.dimension}: pass those that the buyer describes, in that order"
        )
    if request.labelled != (labels is not None):
        raise InvalidArgumentError(
            f"request {request.id} takes labelled points: pass labels, one for each point"
            if request.labelled
            else f"request {request.id} takes points without labels: leave labels out, or pass "
            "wassay.transport.with_labels(points, labels) if its buyer says so"
        )
    if labels is not None:
        Classes.of(measure, labels)


def _as_number(value: Any) -> float:
    """Return a real number as a float, and anything else as NaN, which is outside every range."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan

"""What callers may give, checked before anything is sent."""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from wassay.client.errors import InvalidArgumentError
from wassay.models import Mode, Request
from wassay.modes import MODES
from wassay.transport import Classes, Measure

T = TypeVar("T")


def as_measure(points: ArrayLike | Measure) -> Measure:
    """Let a plain array of points stand for the measure that weighs them alike."""
    return points if isinstance(points, Measure) else Measure(points)


def as_list(values: Iterable[T], name: str) -> list[T]:
    """Return several values as a list; one text is not several letters.

    Raises
    ------
    InvalidArgumentError
        When it is a single value.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidArgumentError(f"{name} takes a list, received {values!r}: put it in brackets")
    return list(values)


def as_instance(value: object, kind: type[T], name: str) -> T:
    """Return `value`, or by default a new `kind()`.

    Raises
    ------
    InvalidArgumentError
        If it is of another type.
    """
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise InvalidArgumentError(f"{name} takes wassay.{kind.__name__}(...), received {value!r}")
    return value


def as_count(value: object, name: str, *, least: int = 1) -> int:
    """Return how many there are to be.

    Raises
    ------
    InvalidArgumentError
        When it is no whole number, or fewer than `least`.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InvalidArgumentError(f"{name} is a whole number, {least} or more, received {value!r}")
    return int(value)


def as_positive(value: object, name: str) -> float:
    """Return a number that is neither zero, nor negative, nor infinite.

    Raises
    ------
    InvalidArgumentError
        When it is something else.
    """
    if not 0 < _as_number(value) < math.inf:
        raise InvalidArgumentError(f"{name} is a positive number, received {value!r}")
    return _as_number(value)


def as_amount(value: object, name: str) -> float:
    """Return a number that is not negative: of seconds or of money, say. It may be infinite.

    Raises
    ------
    InvalidArgumentError
        When it is something else.
    """
    if not _as_number(value) >= 0:
        raise InvalidArgumentError(f"{name} is a number, 0 or more, received {value!r}")
    return _as_number(value)


def as_share(value: object, name: str) -> float:
    """Return a number strictly between 0 and 1, as s and t0 are.

    Raises
    ------
    InvalidArgumentError
        When it is something else.
    """
    if not 0 < _as_number(value) < 1:
        raise InvalidArgumentError(f"{name} is a number between 0 and 1, received {value!r}")
    return _as_number(value)


def as_sweep(sweep: Iterable[float]) -> list[float]:
    """Return the s that sellers are to push to.

    Raises
    ------
    InvalidArgumentError
        When it is a single value, or one of them is no number between 0 and 1.
    """
    return [as_share(s, "an s of the sweep") for s in as_list(sweep, "sweep")]


def as_prices(prices: object) -> dict[str, float]:
    """Return what each contribution costs.

    Raises
    ------
    InvalidArgumentError
        When it is no mapping, or holds something else than numbers that are not negative.
    """
    if not isinstance(prices, Mapping):
        raise InvalidArgumentError(
            f"prices map each contribution's id to a number, received {prices!r}"
        )
    return {name: as_amount(price, f"the price of {name}") for name, price in prices.items()}


def require_answerable(
    request: Request, measure: Measure, mode: Mode, labels: ArrayLike | None
) -> None:
    """Let only what a request asks for pass.

    Raises
    ------
    InvalidArgumentError
        When it takes no answers in this mode, or asks for points of another dimension, or with
        labels where there are none, or the other way round.
    """
    if mode not in request.modes:
        raise InvalidArgumentError(
            f"request {request.id} takes answers in mode {' or '.join(request.modes)}, not {mode}"
        )
    if mode not in MODES:
        raise InvalidArgumentError(
            f"expected one of the modes {', '.join(MODES)}, received {mode}: answer in one of "
            "them, or with a newer version of wassay"
        )
    if measure.dimension != request.dimension:
        raise InvalidArgumentError(
            f"request {request.id} asks for points with {request.dimension} coordinates, these "
            f"have {measure.dimension}"
        )
    if request.labelled != (labels is not None):
        raise InvalidArgumentError(
            f"request {request.id} asks for labelled points: pass labels, one a point"
            if request.labelled
            else f"request {request.id} asks for points without labels: leave labels out, or "
            "answer with wassay.transport.with_labels(points, labels) if its buyer says so"
        )
    if labels is not None:
        Classes.of(measure, labels)


def _as_number(value: Any) -> float:
    """Return a number; NaN, which no range holds, in place of what is none."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan

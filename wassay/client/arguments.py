"""What callers may give, checked before anything is sent."""

from collections.abc import Iterable
from typing import TypeVar

from numpy.typing import ArrayLike

from wassay.client.errors import InvalidArgumentError
from wassay.models import Mode, Request
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
        raise InvalidArgumentError(f"{name} takes a list, came {values!r}: put it in brackets")
    return list(values)


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

"""What callers may give, checked before anything is sent."""

from collections.abc import Iterable
from typing import TypeVar

from numpy.typing import ArrayLike

from wassay.client.errors import InvalidArgumentError
from wassay.transport import Measure

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

"""What callers may give as points."""

from numpy.typing import ArrayLike

from wassay.transport import Measure


def as_measure(points: ArrayLike | Measure) -> Measure:
    """Let a plain array of points stand for the measure that weighs them alike."""
    return points if isinstance(points, Measure) else Measure(points)

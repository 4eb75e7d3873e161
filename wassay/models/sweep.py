"""The values of s of a request's sweep: their range, their number and how far apart they are."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

from pydantic import Field

SweepValue = Annotated[float, Field(gt=0, lt=1)]
"""One s of a sweep: greater than 0 (the raw data) and less than 1 (only the reference)."""

MIN_SWEEP, MAX_SWEEP = 3, 32
"""The smallest and the largest number of values in a sweep. A quadratic needs three values."""

MIN_STEP = 0.001
"""The smallest difference between two values of a sweep."""


def sorted_and_apart(sweep: Iterable[float]) -> list[float]:
    """Return the values of a sweep in ascending order; refuse values that nearly agree.

    Raises
    ------
    ValueError
        If two values are less than `MIN_STEP` apart.
    """
    values = sorted(sweep)
    if any(later - earlier < MIN_STEP for earlier, later in pairwise(values)):
        raise ValueError(
            f"expected values of s at least {MIN_STEP} apart, because closer values do not "
            "determine the curve elsewhere"
        )
    return values

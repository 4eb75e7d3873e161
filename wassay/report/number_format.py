"""Format numbers for people. All numbers of a column get the same number of decimals."""

from collections.abc import Iterable
from math import floor, inf, isfinite, log10

DIGITS = 5
MINUS = "\N{MINUS SIGN}"
THOUSANDS = "\N{NARROW NO-BREAK SPACE}"


class Column:
    """Formats the numbers of one column to the same decimal place.

    If the largest number is very large or very small, all are written in scientific notation.

    Parameters
    ----------
    values : iterable of float
        All values of the column.
    digits : int
        How many digits the largest value gets, unless its integer part is longer. A zero before
        the point counts.
    """

    def __init__(self, values: Iterable[float], digits: int = DIGITS) -> None:
        largest = max((abs(value) for value in values if isfinite(value)), default=0.0)
        leading = floor(log10(largest)) + 1 if largest > 0 else 1
        self._decimals = min(max(digits - max(leading, 1), 0), digits - 1)
        # The largest number decides how all are written.
        self._is_plain = largest == 0 or 1e-3 <= largest < 1e7
        last_digit = -self._decimals if self._is_plain else leading - digits
        self._least = 0.5 * 10.0**last_digit

    def __call__(self, value: float) -> str:
        """Format one number."""
        if not self._is_plain:
            return scientific(value)
        return _with_minus(f"{value:z,.{self._decimals}f}".replace(",", THOUSANDS))

    def shows(self, change: float) -> bool:
        """Whether a change, rounded like the column, differs from zero."""
        return abs(change) >= self._least

    def signed(self, value: float) -> str:
        """Format a change with its sign; a change that rounds to zero has no sign."""
        if not self.shows(value):
            return self(0.0)
        written = self(value)
        return f"+{written}" if value > 0 else written

    def interval(self, low: float, high: float) -> str:
        """Format an interval by its ends; as "at least" if it has no upper end.

        If both ends look the same, only half the width of the interval is written.
        """
        if high == inf:
            return f"at least {self(low)}"
        if self(low) == self(high):
            return scientific((high - low) / 2)
        return f"{self(low)} to {self(high)}"


def whole(number: int) -> str:
    """Format an integer in groups of three digits."""
    return f"{number:,}".replace(",", THOUSANDS)


def scientific(value: float) -> str:
    """Format a number in scientific notation with two significant digits; zero is ``0``."""
    if value == 0:
        return "0"
    return _with_minus(f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e+"))


def _with_minus(written: str) -> str:
    return written.replace("-", MINUS)

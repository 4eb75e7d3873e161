"""The frame of a picture: from numbers to places in a drawing, and the ticks at its sides.

The pictures are elements of the page, in the colours of its style sheet. Matplotlib's SVG sets
colours in `style` attributes, which the page forbids, and would be 97 MB more to install (see
docs/decisions/0047-bought-and-built.md).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from wassay.report.numbers import MINUS, scientific

WIDTH, HEIGHT = 340, 216
LEFT, RIGHT, TOP, BOTTOM = 54, 12, 20, 34
ROUND_STEPS = (1, 2, 2.5, 5, 10)
MOST_DECIMALS = 4

Point = tuple[float, float]


@dataclass(frozen=True)
class Tick:
    """A place along a side, and what stands there."""

    at: float
    label: str


@dataclass(frozen=True)
class Frame:
    """A drawing of what lies in [x_low, x_high] × [0, y_high]; what is above is cut off."""

    x_low: float
    x_high: float
    y_high: float

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM

    def x(self, value: float) -> float:
        """Place a number across."""
        share = (value - self.x_low) / (self.x_high - self.x_low)
        return round(self.left + share * (self.right - self.left), 2)

    def y(self, value: float) -> float:
        """Place a number upwards."""
        share = min(max(value / self.y_high, 0.0), 1.0)
        return round(self.bottom - share * (self.bottom - self.top), 2)

    def path(self, points: Iterable[Point]) -> str:
        """Connect points; where one has no place, the line is broken."""
        steps, pen = [], "M"
        for x, y in points:
            if isfinite(y):
                steps.append(f"{pen}{self.x(x):g} {self.y(y):g}")
                pen = "L"
            else:
                pen = "M"
        return "".join(steps)

    def band(self, lower: Sequence[Point], upper: Sequence[Point]) -> str:
        """Enclose what lies between two lines."""
        return f"{self.path([*upper, *reversed(lower)])}Z" if lower else ""

    def x_ticks(self, most: int = 5) -> list[Tick]:
        """Round numbers across."""
        return [Tick(self.x(value), label) for value, label in ticks(self.x_low, self.x_high, most)]

    def y_ticks(self, most: int = 4) -> list[Tick]:
        """Round numbers upwards."""
        return [Tick(self.y(value), label) for value, label in ticks(0.0, self.y_high, most)]


def ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Choose round numbers in an interval, at most so many steps, and write them."""
    step = round_step((high - low) / most)
    first, last = -floor(-low / step), floor(high / step)
    decimals = max(0, (f"{step:.1e}"[2] != "0") - floor(log10(step) + 1e-9))
    places = [n * step for n in range(first, last + 1)]
    if decimals > MOST_DECIMALS:
        return [(place, scientific(place)) for place in places]
    return [(place, f"{place:.{decimals}f}".replace("-", MINUS)) for place in places]


def round_step(least: float) -> float:
    """The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(power * each for each in ROUND_STEPS if power * each >= least * (1 - 1e-9))

"""The axes of a plot: map data to SVG coordinates, and choose ticks.

Matplotlib is not used: its SVG has `style` attributes, which the page's policy forbids.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from wassay.report.number_format import MINUS, scientific

WIDTH, HEIGHT = 340, 216
LEFT, RIGHT, TOP, BOTTOM = 54, 12, 20, 34
ROUND_STEPS = (1, 2, 2.5, 5, 10)
MOST_DECIMALS = 4

Point = tuple[float, float]


@dataclass(frozen=True)
class Tick:
    """A tick of an axis: its coordinate in the plot, and its label."""

    position: float
    label: str


@dataclass(frozen=True)
class Axes:
    """The axes of a plot of [x_low, x_high] × [0, y_high]."""

    x_low: float
    x_high: float
    y_high: float

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM

    def x(self, value: float) -> float:
        """Map a value to a horizontal coordinate of the plot."""
        share = (value - self.x_low) / (self.x_high - self.x_low)
        return round(self.left + share * (self.right - self.left), 2)

    def y(self, value: float) -> float:
        """Map a value, clipped to [0, y_high], to a vertical coordinate of the plot."""
        share = min(max(value / self.y_high, 0.0), 1.0)
        return round(self.bottom - share * (self.bottom - self.top), 2)

    def path(self, points: Iterable[Point]) -> str:
        """Return the SVG path of a line through points, with gaps where y is not finite."""
        steps, pen = [], "M"
        for x, y in points:
            if isfinite(y):
                steps.append(f"{pen}{self.x(x):g} {self.y(y):g}")
                pen = "L"
            else:
                pen = "M"
        return "".join(steps)

    def band(self, lower: Sequence[Point], upper: Sequence[Point]) -> str:
        """Return the SVG path around the area between two lines; empty if `lower` is empty."""
        return f"{self.path([*upper, *reversed(lower)])}Z" if lower else ""

    def x_ticks(self, most: int = 5) -> list[Tick]:
        """Return at most `most` + 1 ticks of the horizontal axis."""
        return [Tick(self.x(value), label) for value, label in ticks(self.x_low, self.x_high, most)]

    def y_ticks(self, most: int = 4) -> list[Tick]:
        """Return at most `most` + 1 ticks of the vertical axis."""
        return [Tick(self.y(value), label) for value, label in ticks(0.0, self.y_high, most)]


def ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Return the ticks of an axis from `low` to `high`, each with its label.

    There are at most `most` + 1 ticks, at the multiples of a round number.
    """
    step = round_step((high - low) / most)
    first, last = -floor(-low / step), floor(high / step)
    decimals = max(0, (f"{step:.1e}"[2] != "0") - floor(log10(step) + 1e-9))
    values = [n * step for n in range(first, last + 1)]
    if decimals > MOST_DECIMALS:
        return [(value, scientific(value)) for value in values]
    return [(value, f"{value:.{decimals}f}".replace("-", MINUS)) for value in values]


def round_step(least: float) -> float:
    """Return the smallest round number that is at least `least`.

    Round numbers are 1, 2, 2.5 and 5 times powers of ten.
    """
    power = 10.0 ** floor(log10(least))
    return next(power * each for each in ROUND_STEPS if power * each >= least * (1 - 1e-9))

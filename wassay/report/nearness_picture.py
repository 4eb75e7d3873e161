"""The picture of sellers by their distance, beside the floor: the distance that chance gives."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from wassay import models
from wassay.nearness import WORDS
from wassay.report.axes import ticks
from wassay.report.number_format import Column
from wassay.report.report import Coalition, Distance, Report
from wassay.report.sellers import AnySeller, nearest_first

MOST_ROWS = 24
"""The largest number of sellers in the picture."""
MARGIN = 0.06
"""The share of the axis to leave free at each side."""
EDGE = 0.2
"""A label within this share of the axis from one of its ends is written towards the middle."""

Anchor = Literal["start", "middle", "end"]
Mark = Literal["as-near-as-own", "different", "cannot-tell", "distance"]


@dataclass(frozen=True)
class SellerMark:
    """One seller's line in the picture: a mark and its interval, also in words."""

    label: str
    kind: Mark
    """The verdict, or "distance" if the axis shows distances."""
    mark: str | None
    """The coordinate in percent of the width; None if the seller has no mark."""
    low: str | None
    """The coordinate of the interval's lower end; None without a mark."""
    high: str | None
    """The coordinate of the interval's upper end; None without a mark."""
    verdict: str
    numbers: str
    """The values of the mark and the interval, as text."""


@dataclass(frozen=True)
class NearnessPicture:
    """The marks of the nearest sellers on one axis, and the ticks of the axis."""

    marks: list[SellerMark]
    floor: str | None
    """The coordinate of the floor; None if the axis shows distances."""
    floor_anchor: Anchor
    """Which part of the floor's label is at the floor's coordinate."""
    ticks: list[tuple[str, str]]
    """The coordinate and the label of each tick."""
    left_out: int
    """The number of sellers who are too far for the picture."""


def nearness_picture(report: Report, distances: Mapping[Coalition, Distance]) -> NearnessPicture:
    """Place each seller at a coordinate that shows its distance.

    If any seller's floor is above 0, the axis shows multiples of each seller's own floor.
    """
    sellers = nearest_first(report, distances)
    nearness = {} if report.private is None else report.private.nearness
    floored = {name: each for name, each in nearness.items() if each.floor > 0}
    drawn = sellers[:MOST_ROWS]
    values: dict[str, tuple[float, float, float]] = {}
    if floored:
        # Sellers whose floor is 0 or unknown get no mark.
        for name, each in floored.items():
            low, high = each.interval
            values[name] = (each.multiple, low / each.floor, high / each.floor)
    else:
        for seller in drawn:
            distance = distances[frozenset([seller.contribution_id])]
            low, high = distance.interval or distance.tie_interval
            top = high if isfinite(high) else distance.value
            values[seller.contribution_id] = (distance.value, low, top)
    shown = [values[each.contribution_id] for each in drawn if each.contribution_id in values]
    axis = _Axis(shown, floor=bool(floored))
    number = Column((value for value, _, _ in shown), digits=3 if floored else 5)

    def mark(seller: AnySeller) -> SellerMark:
        name = seller.contribution_id
        label = report.labels[name]
        judged = nearness.get(name)
        value = values.get(name)
        if value is None:
            return SellerMark(label, "cannot-tell", None, None, None, WORDS["cannot-tell"], "")
        middle, low, high = value
        return SellerMark(
            label,
            judged.verdict if floored and judged is not None else "distance",
            axis.percent(middle),
            axis.percent(low),
            axis.percent(high),
            WORDS[judged.verdict] if floored and judged is not None else _unverified_note(seller),
            _numbers(value, number, is_multiple=bool(floored)),
        )

    return NearnessPicture(
        [mark(seller) for seller in drawn],
        axis.percent(1.0) if floored else None,
        axis.anchor(1.0),
        [(axis.percent(value), label) for value, label in axis.ticks],
        len(sellers) - len(drawn),
    )


def _unverified_note(seller: AnySeller) -> str:
    return "unverified" if isinstance(seller, models.SellerResult) and not seller.verified else ""


def _numbers(value: tuple[float, float, float], number: Column, *, is_multiple: bool) -> str:
    middle, low, high = value
    times = " ×" if is_multiple else ""
    if number(low) == number(high):
        return f"{number(middle)}{times}"
    return f"{number(middle)}{times} ({number(low)} to {number(high)})"


class _Axis:
    """Maps the values of the axis to percent of the picture's width."""

    def __init__(self, shown: list[tuple[float, float, float]], *, floor: bool) -> None:
        lowest = min((low for _, low, _ in shown), default=0.0)
        highest = max((high for _, _, high in shown), default=1.0)
        if floor:
            lowest, highest = min(lowest, 1.0), max(highest, 1.0)
        else:
            lowest = 0.0
        highest = highest if highest > lowest else lowest + 1.0
        margin = MARGIN * (highest - lowest) / (1 - 2 * MARGIN)
        self._low = lowest - margin if lowest else 0.0
        self._high = highest + margin
        self.ticks = ticks(self._low, self._high, 4)

    def percent(self, value: float) -> str:
        """Return the coordinate of a value as SVG writes it, such as ``12.50%``."""
        return f"{100 * self._share(value):.2f}%"

    def anchor(self, value: float) -> Anchor:
        """Return which part of a label is put at a value, so that the whole label is visible."""
        share = self._share(value)
        return "start" if share < EDGE else "end" if share > 1 - EDGE else "middle"

    def _share(self, value: float) -> float:
        return min(max((value - self._low) / (self._high - self._low), 0.0), 1.0)

"""Distance curves as small pictures: all sellers together, then each, all to one scale."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

from wassay import models
from wassay.curves import distance_curve, outline
from wassay.report.content import MOST_PICTURES, Distance, Members, Report
from wassay.report.frame import Frame, Point
from wassay.report.sellers import nearest_first

SAMPLES = 81
HEADROOM = 1.1


@dataclass(frozen=True)
class Drawn:
    """One curve in numbers: (s, distance) of what is drawn of it."""

    dots: list[Point]
    line: list[Point] = field(default_factory=list)
    lower: list[Point] = field(default_factory=list)
    upper: list[Point] = field(default_factory=list)
    whiskers: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def highest(self) -> float:
        """The largest distance that has to be seen."""
        tops = [y for _, y in (*self.dots, *self.line)] + [high for *_, high in self.whiskers]
        return max(y for y in tops if y == y)


@dataclass(frozen=True)
class Panel:
    """One picture: a curve before all the others."""

    title: str
    is_unverified: bool
    line: str
    band: str
    dots: list[Point]
    whiskers: list[tuple[float, float, float]]
    others: list[str]


@dataclass(frozen=True)
class Panels:
    """All pictures in one frame; `t0` is where the push is marked, `left_out` counts the others."""

    frame: Frame
    panels: list[Panel]
    t0: float | None
    left_out: int


def panels_of(report: Report, distances: Mapping[Members, Distance]) -> Panels:
    """Draw all sellers together and the nearest of them."""
    sellers = nearest_first(report, distances)
    shown = sellers[:MOST_PICTURES]
    result = report.result
    drawn: list[tuple[str, bool, Drawn]] = []
    if result.together is not None and len(sellers) > 1:
        drawn.append(("all together", False, drawn_curve(result.together, result.order)))
    for seller in shown:
        unverified = isinstance(seller, models.SellerResult) and not seller.verified
        drawn.append((seller.label, unverified, drawn_curve(seller.alone, result.order)))
    frame = Frame(0.0, 1.0, HEADROOM * max(each.highest for _, _, each in drawn) or 1.0)
    outlines = [frame.path(each.line or each.dots) for _, _, each in drawn]
    return Panels(
        frame,
        [
            Panel(
                title,
                unverified,
                frame.path(each.line),
                frame.band(each.lower, each.upper),
                [(frame.x(s), frame.y(value)) for s, value in each.dots],
                [(frame.x(s), frame.y(low), frame.y(high)) for s, low, high in each.whiskers],
                [path for other, path in enumerate(outlines) if other != place],
            )
            for place, (title, unverified, each) in enumerate(drawn)
        ],
        None if report.pushed is None else frame.x(report.pushed.t0),
        len(sellers) - len(shown),
    )


def drawn_curve(curve: models.Curve | list[models.NoisedCost], order: models.Order) -> Drawn:
    """Evaluate a curve for its picture."""
    if isinstance(curve, list):
        return _drawn_noised(curve)
    evaluated = distance_curve(curve, order)
    drawn = outline(evaluated, SAMPLES)
    dots = [(s, evaluated.distance(s)) for s in evaluated.sweep]
    line = list(zip(drawn.s, drawn.distance, strict=True))
    if drawn.lower is None or drawn.upper is None:
        return Drawn(dots, line)
    if any(point.certificate is None for point in curve.points):
        return Drawn(dots, line)
    lower = list(zip(drawn.s, drawn.lower, strict=True))
    return Drawn(dots, line, lower, list(zip(drawn.s, drawn.upper, strict=True)))


def _drawn_noised(costs: list[models.NoisedCost]) -> Drawn:
    def root(square: float) -> float:
        return sqrt(max(square, 0.0))

    return Drawn(
        [(each.s, root(each.cost)) for each in costs],
        whiskers=[(each.s, root(each.interval[0]), root(each.interval[1])) for each in costs],
    )

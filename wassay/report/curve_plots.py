"""Plots of distance curves on common axes: of all sellers together, then of the nearest sellers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt

from wassay import models
from wassay.received_curves import distance_curve, outline
from wassay.report.axes import Axes, Point
from wassay.report.report import MOST_PLOTS, Coalition, Distance, Report
from wassay.report.sellers import nearest_first
from wassay.unique_labels import EVERYONE

SAMPLES = 81
HEADROOM = 1.1


@dataclass(frozen=True)
class SampledCurve:
    """A distance curve sampled for plotting, as points (s, distance)."""

    dots: list[Point]
    """The points that were solved."""
    line: list[Point] = field(default_factory=list)
    lower: list[Point] = field(default_factory=list)
    """Certified lower bounds of the distance."""
    upper: list[Point] = field(default_factory=list)
    """Certified upper bounds of the distance."""
    whiskers: list[tuple[float, float, float]] = field(default_factory=list)
    """Intervals (s, low, high) of distances with noise."""

    @property
    def highest(self) -> float:
        """The largest distance to plot."""
        tops = [y for _, y in (*self.dots, *self.line)] + [high for *_, high in self.whiskers]
        return max(y for y in tops if y == y)


@dataclass(frozen=True)
class CurvePlot:
    """One plot, with one curve in front and all others pale behind it."""

    title: str
    is_unverified: bool
    line: str
    """The SVG path of the curve."""
    band: str
    """The SVG path between the curve's bounds."""
    dots: list[Point]
    """SVG coordinates (x, y) of the solved points."""
    whiskers: list[tuple[float, float, float]]
    """SVG coordinates (x, low, high) of the intervals of distances with noise."""
    others: list[str]
    """The SVG paths of the other curves."""


@dataclass(frozen=True)
class CurvePlots:
    """All plots, and their common axes."""

    axes: Axes
    plots: list[CurvePlot]
    t0: float | None
    """The horizontal coordinate of the private push; None if unknown."""
    left_out: int
    """The number of sellers without a plot."""


def curve_plots(report: Report, distances: Mapping[Coalition, Distance]) -> CurvePlots:
    """Plot the curves of all sellers together, and of the nearest sellers by `distances`."""
    sellers = nearest_first(report, distances)
    plotted = sellers[:MOST_PLOTS]
    result = report.result
    sampled: list[tuple[str, bool, SampledCurve]] = []
    if result.grand_coalition is not None and len(sellers) > 1:
        sampled.append((EVERYONE, False, sampled_curve(result.grand_coalition, result.order)))
    for seller in plotted:
        unverified = isinstance(seller, models.SellerResult) and not seller.verified
        sampled.append(
            (
                report.labels[seller.contribution_id],
                unverified,
                sampled_curve(seller.singleton, result.order),
            )
        )
    axes = Axes(0.0, 1.0, HEADROOM * max(each.highest for _, _, each in sampled) or 1.0)
    outlines = [axes.path(each.line or each.dots) for _, _, each in sampled]
    return CurvePlots(
        axes,
        [
            CurvePlot(
                title,
                unverified,
                axes.path(each.line),
                axes.band(each.lower, each.upper),
                [(axes.x(s), axes.y(value)) for s, value in each.dots],
                [(axes.x(s), axes.y(low), axes.y(high)) for s, low, high in each.whiskers],
                [path for other, path in enumerate(outlines) if other != index],
            )
            for index, (title, unverified, each) in enumerate(sampled)
        ],
        None if report.private is None else axes.x(report.private.t0),
        len(sellers) - len(plotted),
    )


def sampled_curve(
    curve: models.Curve | list[models.NoisedCost], order: models.Order
) -> SampledCurve:
    """Sample a distance curve, or costs with noise, for plotting.

    `order` is the p of W_p.
    """
    if isinstance(curve, list):
        return _sampled_noised(curve)
    evaluated = distance_curve(curve, order)
    sampled = outline(evaluated, SAMPLES)
    dots = [(s, evaluated.distance(s)) for s in evaluated.sweep]
    line = list(zip(sampled.s, sampled.distance, strict=True))
    if sampled.lower is None or sampled.upper is None:
        return SampledCurve(dots, line)
    if any(point.certificate is None for point in curve.points):
        return SampledCurve(dots, line)
    lower = list(zip(sampled.s, sampled.lower, strict=True))
    return SampledCurve(dots, line, lower, list(zip(sampled.s, sampled.upper, strict=True)))


def _sampled_noised(costs: list[models.NoisedCost]) -> SampledCurve:
    def root(square: float) -> float:
        return sqrt(max(square, 0.0))

    return SampledCurve(
        [(each.s, root(each.cost)) for each in costs],
        whiskers=[(each.s, root(each.interval[0]), root(each.interval[1])) for each in costs],
    )

"""Histograms of the scores of each seller's points, relative to the seller's own median."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.report.axes import Axes, round_step
from wassay.report.number_format import Column
from wassay.report.report import Report
from wassay.report.wording.names import numbered, rows_command
from wassay.transport import in_distribution

BINS = 30
HEADROOM = 1.08
CUTOFF = 3.5
"""A point stands out if its score is this many robust standard deviations above the median."""

LESS_THAN_SCORES: dict[models.ScoresShown, str] = {
    "ranks": "These sellers show only ranks:",
    "noisiest": "These sellers show only which points are the noisiest:",
    "none": "These sellers show no scores. Ask them to answer with ranks, which name the noisiest "
    "points unless a party has too few:",
    "scores": "These sellers show scores, which are not plotted here:",
}
"""For sellers whose scores are not plotted, the words that introduce what the buyer may read."""


@dataclass(frozen=True)
class Bar:
    """The bar of one bin of a histogram; `x` and `y` are its top left corner."""

    x: float
    y: float
    width: float
    height: float
    is_noise: bool
    """Whether the bin has a score that stands out, or is to the right of such a bin."""


@dataclass(frozen=True)
class Histogram:
    """The histogram of one seller's scores, less their median."""

    title: str
    axes: Axes
    bars: list[Bar]
    zero: float
    """The horizontal coordinate of the median."""
    points: int
    """The number of the seller's points."""
    standing_out: int
    """The number of points whose scores stand out."""
    listed: str
    """The numbers of the points that stand out, in words; empty if there are none."""
    command: str
    """The command that tells the seller which rows stand out; empty if none does."""
    offset: str
    """The seller's median, less the median of all plotted sellers' scores."""


@dataclass(frozen=True)
class NotPlotted:
    """Sellers whose scores are not plotted."""

    words: str
    """What the buyer may read of the sellers' scores, in words."""
    labels: list[str]
    """The labels of the sellers."""
    shows_scores: bool
    """Whether the buyer may read every score; then there are only too many sellers to plot."""


@dataclass(frozen=True)
class NamedPoints:
    """The points of one seller that are named as noisiest, without scores."""

    label: str
    named: str
    """The numbers of the named points, in words."""
    points: int
    """The number of all points of the seller."""
    command: str
    """The command that tells the seller which rows the named points are."""


@dataclass(frozen=True)
class LabelFinding:
    """One seller's labels: which are probably wrong, and how well all predict the buyer's."""

    label: str
    worst: str | None
    """The points whose labels are probably wrong, in words; None if there are none."""
    accuracy: str | None
    """The share of the buyer's labels that is predicted correctly; None if unknown."""
    is_all_wrong: bool
    """Whether `accuracy` rounds to 0 %."""
    command: str | None
    """The command that tells the seller which rows `worst` are; None if there are none."""


def named_points(report: Report) -> list[NamedPoints]:
    """Return the points in `report.noisiest`, for each seller."""
    return [
        NamedPoints(
            report.labels[seller.contribution_id],
            numbered(sorted(named)),
            seller.points,
            rows_command(seller.contribution_id, sorted(named)),
        )
        for seller in report.result.sellers
        if (named := report.noisiest.get(seller.contribution_id))
    ]


def histograms_of(report: Report) -> tuple[list[Histogram], list[NotPlotted]]:
    """Return the histograms of the sellers in `report.scores`, and a list of the other sellers.

    Both are empty if the result has noise.
    """
    shown = list(report.scores.values())
    centre = float(np.median(np.concatenate(shown))) if shown else 0.0
    medians = [float(np.median(scores)) - centre for scores in shown]
    column = Column(medians)
    histograms: list[Histogram] = []
    others: defaultdict[models.ScoresShown, list[str]] = defaultdict(list)
    for seller in report.result.sellers:
        label = report.labels[seller.contribution_id]
        scores = report.scores.get(seller.contribution_id)
        if scores is not None:
            median = float(np.median(scores))
            offset = column.signed(median - centre)
            rows = standing_out(report, seller.contribution_id)
            histograms.append(_histogram(label, seller.contribution_id, scores, rows, offset))
        elif isinstance(seller, models.SellerResult):
            others[seller.scores_shown].append(label)
    return histograms, [
        NotPlotted(LESS_THAN_SCORES[policy], labels, policy == "scores")
        for policy, labels in others.items()
    ]


def standing_out(report: Report, contribution_id: str) -> list[int]:
    """Return the numbers of the points that stand out (see `CUTOFF`), highest score first.

    Points are numbered from 0, as the seller sent them.
    """
    scores = report.scores[contribution_id]
    spread = report.spreads.get(contribution_id, 0.0)
    points = np.flatnonzero(~in_distribution(scores, spread=spread, cutoff=CUTOFF))
    worst_first: list[int] = points[np.argsort(-scores[points], kind="stable")].tolist()
    return worst_first


def label_findings(report: Report) -> list[LabelFinding]:
    """Return the findings for each seller in `report.label_scores`."""
    return [
        LabelFinding(
            report.labels[seller.contribution_id],
            numbered(found.worst, "mislabelled") if found.worst else None,
            None if found.accuracy is None else f"{100 * found.accuracy:z.0f} %",
            found.is_all_wrong,
            rows_command(seller.contribution_id, found.worst) if found.worst else None,
        )
        for seller in report.result.sellers
        if (found := report.label_scores.get(seller.contribution_id)) is not None
    ]


def _histogram(
    title: str, contribution_id: str, scores: NDArray[np.float64], rows: list[int], offset: str
) -> Histogram:
    threshold = float((scores[rows] - np.median(scores)).min(initial=np.inf))
    points = len(scores)
    scores = scores - np.median(scores)
    low, high = min(float(scores.min()), 0.0), max(float(scores.max()), 0.0)
    width = round_step(max(high - low, 1e-12) / BINS)
    first, last = int(np.floor(low / width)), max(int(np.ceil(high / width)), 1)
    counts, _ = np.histogram(scores, bins=np.arange(first, last + 1) * width)
    axes = Axes(first * width, last * width, HEADROOM * float(counts.max()))
    bars = [
        Bar(
            x=axes.x((first + index) * width),
            y=axes.y(float(count)),
            width=round(axes.x(width) - axes.x(0.0) - 0.6, 2),
            height=round(axes.bottom - axes.y(float(count)), 2),
            is_noise=(first + index + 1) * width > threshold,
        )
        for index, count in enumerate(counts)
        if count
    ]
    said = numbered(rows, "outliers") if rows else ""
    command = rows_command(contribution_id, rows) if rows else ""
    return Histogram(title, axes, bars, axes.x(0.0), points, len(rows), said, command, offset)

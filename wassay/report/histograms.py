"""Histograms of the scores of each seller's points."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.report.axes import Axes, round_step
from wassay.report.report import Report

BINS = 30
HEADROOM = 1.08


@dataclass(frozen=True)
class Bar:
    """One bin of a histogram; no bin crosses zero."""

    x: float
    y: float
    width: float
    height: float
    is_noise: bool


@dataclass(frozen=True)
class Histogram:
    """The histogram of the scores of one seller's points."""

    title: str
    axes: Axes
    bars: list[Bar]
    zero: float
    noisy: int
    valuable: int


@dataclass(frozen=True)
class NotPlotted:
    """Sellers whose scores are not plotted, and what the buyer may read instead."""

    policy: str
    labels: list[str]


def histograms_of(report: Report) -> tuple[list[Histogram], list[NotPlotted]]:
    """Plot the scores that sellers show, and list the sellers who show less."""
    histograms: list[Histogram] = []
    others: defaultdict[str, list[str]] = defaultdict(list)
    for seller in report.result.sellers:
        scores = report.scores.get(seller.contribution_id)
        if scores is not None:
            histograms.append(_histogram(seller.label, scores))
        elif isinstance(seller, models.SellerResult):
            others[seller.scores_shown].append(seller.label)
    return histograms, [NotPlotted(policy, labels) for policy, labels in others.items()]


def _histogram(title: str, scores: NDArray[np.float64]) -> Histogram:
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
            is_noise=first + index >= 0,
        )
        for index, count in enumerate(counts)
        if count
    ]
    noisy = int(np.count_nonzero(scores > 0))
    return Histogram(title, axes, bars, axes.x(0.0), noisy, int(np.count_nonzero(scores < 0)))

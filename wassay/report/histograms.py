"""How the scores of each seller's points are spread, as small pictures."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.report.content import Report
from wassay.report.frame import Frame, round_step

BINS = 30
HEADROOM = 1.08


@dataclass(frozen=True)
class Bar:
    """Points whose scores lie between two numbers; none is on both sides of zero."""

    x: float
    y: float
    width: float
    height: float
    is_noise: bool


@dataclass(frozen=True)
class Histogram:
    """The scores of one seller's points."""

    title: str
    frame: Frame
    bars: list[Bar]
    zero: float
    noisy: int
    valuable: int


@dataclass(frozen=True)
class NotDrawn:
    """Sellers whose scores are not drawn, and what the buyer sees of them instead."""

    shown: str
    labels: list[str]


def histograms_of(report: Report) -> tuple[list[Histogram], list[NotDrawn]]:
    """Draw the scores that sellers show, and name the sellers who show less."""
    drawn: list[Histogram] = []
    others: defaultdict[str, list[str]] = defaultdict(list)
    for seller in report.result.sellers:
        scores = report.scores.get(seller.contribution_id)
        if scores is not None:
            drawn.append(_histogram(seller.label, scores))
        elif isinstance(seller, models.SellerResult):
            others[seller.scores_shown].append(seller.label)
    return drawn, [NotDrawn(shown, labels) for shown, labels in others.items()]


def _histogram(title: str, scores: NDArray[np.float64]) -> Histogram:
    low, high = min(float(scores.min()), 0.0), max(float(scores.max()), 0.0)
    width = round_step(max(high - low, 1e-12) / BINS)
    first, last = int(np.floor(low / width)), max(int(np.ceil(high / width)), 1)
    counts, _ = np.histogram(scores, bins=np.arange(first, last + 1) * width)
    frame = Frame(first * width, last * width, HEADROOM * float(counts.max()))
    bars = [
        Bar(
            x=frame.x((first + place) * width),
            y=frame.y(float(count)),
            width=round(frame.x(width) - frame.x(0.0) - 0.6, 2),
            height=round(frame.bottom - frame.y(float(count)), 2),
            is_noise=first + place >= 0,
        )
        for place, count in enumerate(counts)
        if count
    ]
    noisy = int(np.count_nonzero(scores > 0))
    return Histogram(title, frame, bars, frame.x(0.0), noisy, int(np.count_nonzero(scores < 0)))

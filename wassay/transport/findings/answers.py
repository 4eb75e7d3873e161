"""Answers to examine, by measures or by cost blocks, seen from a few of the buyer's points.

The squared distances from a point to some **anchors** place it as coordinates do, up to what lies
outside the anchors' span; equal points have equal ones, and near points near ones. They are known
in both modes, so that answers of different modes can be compared, and they are quadratics in s, so
that three s tell them for the raw data (s = 0) and for any push.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import MAX_BLOCK_ENTRIES, Power
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.measure import Measure
from wassay.transport.sweeps.quadratic import fit_weights

ANCHORS = 32
"""How many of the buyer's points all others are seen from."""


@dataclass(frozen=True, eq=False)
class SweptMeasures:
    """A seller's η_ν(s) for every s, and σ_ν as they state it, where they do."""

    contribution_id: str
    measures: Mapping[float, Measure]
    stated_spread: float | None = None


@dataclass(frozen=True, eq=False)
class SweptBlocks:
    """A seller's costs C(s), shape (n, m), for every s; arrays may be mapped from files.

    `weights`, shape (n,), are None where all points weigh the same. Where points are `labelled`,
    costs also hold the distances of classes.
    """

    contribution_id: str
    blocks: Mapping[float, NDArray[np.floating]]
    weights: NDArray[np.float64] | None = None
    labelled: bool = False


Answer: TypeAlias = SweptMeasures | SweptBlocks


@dataclass(frozen=True, eq=False)
class Cloud:
    """A seller's points as the anchors see them, at every push.

    Attributes
    ----------
    contribution_id : str
    coefficients : ndarray, shape (3, n, anchors)
        Of the quadratics in s.
    radii : ndarray, shape (n,), or None
        Distances of the raw points from their mean, in order; unknown of cost blocks.
    """

    contribution_id: str
    coefficients: NDArray[np.float64]
    radii: NDArray[np.float64] | None

    @property
    def size(self) -> int:
        """Number of points, n."""
        return int(self.coefficients.shape[1])

    def at(self, push: float) -> NDArray[np.float64]:
        """Squared distances to the anchors at one push, shape (n, anchors); 0: the raw data."""
        start, slope, bend = self.coefficients
        places: NDArray[np.float64] = start + push * (slope + push * bend)
        return places

    @property
    def raw(self) -> NDArray[np.float64]:
        """The raw data's."""
        places: NDArray[np.float64] = self.coefficients[0]
        return places


def some(random: np.random.Generator, size: int, most: int) -> NDArray[np.intp]:
    """Choose at most `most` of `size` rows, which nobody can know beforehand."""
    rows: NDArray[np.intp] = np.sort(random.choice(size, min(size, most), replace=False))
    return rows


def row_slices(measure: Measure) -> Iterator[slice]:
    """Cut the rows of a measure into pieces of bounded memory."""
    step = max(1, MAX_BLOCK_ENTRIES // measure.dimension)
    for start in range(0, measure.size, step):
        yield slice(start, min(start + step, measure.size))


def seen_from(anchors: Measure, measure: Measure) -> NDArray[np.float64]:
    """Squared distances of a measure's points to the anchors, shape (n, anchors)."""
    cost = PointCost(measure, anchors)
    return np.concatenate([cost.block(rows.start, rows.stop) for rows in row_slices(measure)])


def cloud(answer: Answer, buyer: Measure, anchors: NDArray[np.intp], p: Power) -> Cloud:
    """See an answer from the buyer's points that are the anchors."""
    if isinstance(answer, SweptMeasures):
        sweep = sorted(answer.measures)
        places = Measure(buyer.points[anchors])
        seen = [seen_from(places, answer.measures[s]) for s in sweep]
    else:
        sweep = sorted(answer.blocks)
        seen = [np.asarray(answer.blocks[s][:, anchors], np.float64) ** (2 / p) for s in sweep]
    radii = _radii(answer.measures) if isinstance(answer, SweptMeasures) else None
    coefficients = np.einsum("cs,snk->cnk", fit_weights(sweep), np.stack(seen))
    return Cloud(answer.contribution_id, coefficients, radii)


def _radii(measures: Mapping[float, Measure]) -> NDArray[np.float64]:
    low, high = min(measures), max(measures)
    first, last = measures[low].points, measures[high].points
    centre = high * first.mean(axis=0) - low * last.mean(axis=0)
    radii = [
        np.linalg.norm(high * first[rows] - low * last[rows] - centre, axis=1) / (high - low)
        for rows in row_slices(measures[low])
    ]
    return np.sort(np.concatenate(radii))

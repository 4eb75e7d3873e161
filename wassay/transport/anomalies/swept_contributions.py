"""Contributions of measures or cost blocks, and the embeddings by which points are compared.

The embedding of a point is its squared distances to the anchors: a few of the buyer's points.
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
from wassay.transport.sweeps.polynomial_fit import fit_weights

ANCHORS = 32
"""Number of anchors."""


@dataclass(frozen=True, eq=False)
class SweptMeasures:
    """A seller's contribution that consists of measures, one for each s.

    Attributes
    ----------
    contribution_id : str
    measures : mapping of s to Measure
        The seller's pushed measures η_ν(s), with rows in the same order at every s.
    stated_spread : float or None
        The projection spread σ_ν that the seller states, if any.
    """

    contribution_id: str
    measures: Mapping[float, Measure]
    stated_spread: float | None = None


@dataclass(frozen=True, eq=False)
class SweptBlocks:
    """A seller's contribution that consists of cost blocks, one for each s.

    Attributes
    ----------
    contribution_id : str
    blocks : mapping of s to ndarray, shape (n, m)
        Costs C(s); may be memory-mapped.
    weights : ndarray, shape (n,), or None
        Weights of the seller's points; None if they are equal.
    labelled : bool
        Whether the costs include distances between classes.
    """

    contribution_id: str
    blocks: Mapping[float, NDArray[np.floating]]
    weights: NDArray[np.float64] | None = None
    labelled: bool = False


SweptContribution: TypeAlias = SweptMeasures | SweptBlocks


@dataclass(frozen=True, eq=False)
class Embedding:
    """The embeddings of a seller's points, at every push.

    Attributes
    ----------
    contribution_id : str
    coefficients : ndarray, shape (3, n, anchors)
        Each squared distance as a quadratic in s: its coefficients in ascending powers.
    radii : ndarray, shape (n,), or None
        Distances of the raw points from their mean, ascending. None for cost blocks.
    """

    contribution_id: str
    coefficients: NDArray[np.float64]
    radii: NDArray[np.float64] | None

    @property
    def size(self) -> int:
        """Number of points, n."""
        return int(self.coefficients.shape[1])

    def at(self, push: float) -> NDArray[np.float64]:
        """Return the squared distances to the anchors at a push.

        Parameters
        ----------
        push : float
            0 for the raw data.

        Returns
        -------
        ndarray, shape (n, anchors)
        """
        start, slope, bend = self.coefficients
        distances: NDArray[np.float64] = start + push * (slope + push * bend)
        return distances

    @property
    def raw(self) -> NDArray[np.float64]:
        """Squared distances of the raw points to the anchors, shape (n, anchors)."""
        distances: NDArray[np.float64] = self.coefficients[0]
        return distances


def sample_rows(random: np.random.Generator, size: int, limit: int) -> NDArray[np.intp]:
    """Draw at most `limit` of `size` rows without replacement.

    Parameters
    ----------
    random : numpy.random.Generator
    size, limit : int

    Returns
    -------
    ndarray of int
        Indices of the rows, ascending.
    """
    rows: NDArray[np.intp] = np.sort(random.choice(size, min(size, limit), replace=False))
    return rows


def row_slices(measure: Measure) -> Iterator[slice]:
    """Yield slices that together cover the rows of a measure, each small enough for memory.

    Parameters
    ----------
    measure : Measure

    Yields
    ------
    slice
    """
    step = max(1, MAX_BLOCK_ENTRIES // measure.dimension)
    for start in range(0, measure.size, step):
        yield slice(start, min(start + step, measure.size))


def anchor_distances(anchors: Measure, measure: Measure) -> NDArray[np.float64]:
    """Compute the squared distances between the points of a measure and anchors.

    Parameters
    ----------
    anchors : Measure
        The anchors as points.
    measure : Measure, n points

    Returns
    -------
    ndarray, shape (n, anchors)
    """
    cost = PointCost(measure, anchors)
    return np.concatenate([cost.block(rows.start, rows.stop) for rows in row_slices(measure)])


def embed(
    contribution: SweptContribution, buyer: Measure, anchors: NDArray[np.intp], p: Power
) -> Embedding:
    """Compute the embeddings of a seller's points.

    Parameters
    ----------
    contribution : SweptMeasures or SweptBlocks
    buyer : Measure
        The buyer's pushed measure η_μ(t0).
    anchors : ndarray of int
        Indices of the buyer's points that are the anchors.
    p : {1, 2}
        Power of the distances in cost blocks.

    Returns
    -------
    Embedding
    """
    if isinstance(contribution, SweptMeasures):
        sweep = sorted(contribution.measures)
        points = Measure(buyer.points[anchors])
        squared = [anchor_distances(points, contribution.measures[s]) for s in sweep]
    else:
        sweep = sorted(contribution.blocks)
        costs = [np.asarray(contribution.blocks[s][:, anchors], np.float64) for s in sweep]
        squared = [block ** (2 / p) for block in costs]
    radii = _radii(contribution.measures) if isinstance(contribution, SweptMeasures) else None
    # Each squared distance is a quadratic in s, which three values of s determine.
    coefficients = np.einsum("cs,snk->cnk", fit_weights(sweep), np.stack(squared))
    return Embedding(contribution.contribution_id, coefficients, radii)


def _radii(measures: Mapping[float, Measure]) -> NDArray[np.float64]:
    """Return the sorted distances of the raw points from their mean."""
    # Two values of s give the raw points, because every point moves on a straight line.
    low, high = min(measures), max(measures)
    first, last = measures[low].points, measures[high].points
    centre = high * first.mean(axis=0) - low * last.mean(axis=0)
    radii = [
        np.linalg.norm(high * first[rows] - low * last[rows] - centre, axis=1) / (high - low)
        for rows in row_slices(measures[low])
    ]
    return np.sort(np.concatenate(radii))

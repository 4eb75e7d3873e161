"""Scores of labels: exact Shapley values of a nearest-neighbour classifier."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure

NEIGHBOURS = 5
"""The default K. Of 1, 3, 5, 10 and 20, it finds wrong labels best on average over the data sets
digits, breast cancer, wine and iris; for K from 3 to 10, AUROC differs by at most 0.01."""

MOST_PAIRS = 20_000_000
"""The most distances from which scores are computed; beyond it, the buyer's points are sampled."""

_BLOCK_PAIRS = 1_000_000
_TIE = 1e-11
"""Squared distances that differ by less than this share of the largest squared norm are tied."""


def label_scores(
    buyer: Measure,
    buyer_classes: ArrayLike,
    seller: Measure,
    seller_classes: ArrayLike,
    *,
    neighbours: int = NEIGHBOURS,
) -> NDArray[np.float64]:
    """Score the labels of a seller's points by the labels of the buyer's points nearby.

    The scores are minus the points' exact Shapley values for predicting the buyer's labels from the
    K nearest points (Jia et al. 2019). So the highest scores mark labels that are probably wrong.
    Their sum is between −1 and 0.

    A seller's point without mass has the score 0 and is never a neighbour. Other weights of the
    seller do not matter, nor does the order of points.

    Parameters
    ----------
    buyer : Measure, m points
        The points x_i with weights a_i.
    buyer_classes : array_like, shape (m,)
        The label of each of the buyer's points.
    seller : Measure, n points
        The points to score.
    seller_classes : array_like, shape (n,)
        The label of each of the seller's points; compared with the buyer's by equality.
    neighbours : int
        The number K of nearest points, at least 1.

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    TransportError
        If the numbers of points, classes or dimensions do not fit together, or K is not positive.

    Notes
    -----
    With more than 20 million pairs, a fixed random sample of the buyer's points is used.

    Examples
    --------
    >>> label_scores(Measure([[0.0]]), ["a"], Measure([[1.0], [2.0]]), ["a", "b"], neighbours=1)
    array([-1.,  0.])
    """
    return scores_and_predictions(
        buyer, buyer_classes, seller, seller_classes, neighbours=neighbours
    )[0]


def scores_and_predictions(
    buyer: Measure,
    buyer_classes: ArrayLike,
    seller: Measure,
    seller_classes: ArrayLike,
    *,
    neighbours: int = NEIGHBOURS,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Score the labels of a seller's points, and return how well they predict the buyer's labels.

    The first array has the scores, shape (n,). The second has, for each of the buyer's m points,
    the share of the seller's K nearest points that have its label. It is NaN for points without
    mass, and for those that sampling leaves out. The parameters are those of `label_scores`.

    Raises
    ------
    TransportError
        In the same cases as `label_scores`.
    """
    theirs, own = np.asarray(buyer_classes), np.asarray(seller_classes)
    for measure, classes in ((buyer, theirs), (seller, own)):
        if classes.shape != (measure.size,):
            raise TransportError(
                f"expected {measure.size} classes, one for each point, received shape "
                f"{classes.shape}"
            )
    if buyer.dimension != seller.dimension:
        raise TransportError(
            "expected points of one dimension on both sides, received dimensions "
            f"{buyer.dimension} and {seller.dimension}"
        )
    if neighbours < 1:
        raise TransportError(f"expected at least 1 neighbour, received {neighbours}")
    massive = np.flatnonzero(seller.weights)
    rows = _sampled(buyer, most=max(1, MOST_PAIRS // len(massive)))
    centre = seller.mean
    points, queries = seller.points[massive] - centre, buyer.points[rows] - centre
    norms, query_norms = (np.square(each).sum(axis=1) for each in (points, queries))
    tie = _TIE * max(norms.max(), query_norms.max())
    weights = buyer.weights[rows] / buyer.weights[rows].sum()
    shapley = _ShapleyValues(len(massive), neighbours)
    found, predicted = np.zeros(len(massive)), np.full(buyer.size, np.nan)
    size = max(1, _BLOCK_PAIRS // len(massive))
    for start in range(0, len(rows), size):
        block = slice(start, start + size)
        squared = norms - 2 * queries[block] @ points.T + query_norms[block, None]
        order = np.argsort(squared, axis=1)
        right = (own[massive][order] == theirs[rows[block], None]).astype(np.float64)
        tied = np.diff(np.take_along_axis(squared, order, axis=1), axis=1) <= tie
        values = shapley.values(right, tied)
        predicted[rows[block]] = values.sum(axis=1)
        values *= weights[block, None]
        found += np.bincount(order.ravel(), values.ravel(), minlength=len(massive))
    scores = np.zeros(seller.size)
    scores[massive] = 0.0 - found  # and not -0.0
    return scores, predicted


def _sampled(buyer: Measure, most: int) -> NDArray[np.intp]:
    """Return the indices of the buyer's points with mass: if too many, a fixed sample of `most`."""
    massive: NDArray[np.intp] = np.flatnonzero(buyer.weights)
    if len(massive) <= most:
        return massive
    return np.sort(np.random.default_rng(0).permutation(massive)[:most])


class _ShapleyValues:
    """Shapley values of a seller's points for the label of one point of the buyer.

    The seller's points are sorted by their distance from the buyer's point. r_l is 1 if the l-th
    has the buyer's label, otherwise 0, and w_l = min(1/K, 1/l). The values solve the recursion v_i
    = v_{i+1} + (r_i − r_{i+1}) w_i, v_n = r_n w_n (Jia et al. 2019, theorem 1), so v_i = r_i w_i −
    Σ_{l>i} r_l (w_{l−1} − w_l).
    """

    def __init__(self, size: int, neighbours: int) -> None:
        self._weights = 1 / np.maximum(np.arange(1, size + 1), neighbours)
        self._falls = np.concatenate([[0.0], -np.diff(self._weights)])
        self._sums = np.concatenate([[0.0], np.cumsum(self._weights)])

    def values(self, right: NDArray[np.float64], tied: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the values for several points of the buyer, one in each row.

        In each row, the seller's points are sorted by distance. `right` has each r_l. `tied` marks
        the points that are as distant as the next one: they get their mean value over all orders.
        """
        # Let q points be tied at the positions p to e, and let c of them have the buyer's label.
        # Let W be the mean of w_p to w_e. The mean of a point's value over the orders of the tied
        # points is r·W − (c − r)/(q − 1)·(W − w_e) − Σ_{l>e} r_l (w_{l−1} − w_l), where r is the
        # point's own r_l.
        size = right.shape[1]
        begins = np.ones(right.shape, dtype=np.bool_)
        begins[:, 1:] = ~tied
        starts = np.flatnonzero(begins)
        counts = np.diff(starts, append=right.size)
        first, last = starts % size, (starts + counts - 1) % size
        mean = (self._sums[last + 1] - self._sums[first]) / counts
        spread = (mean - self._weights[last]) / np.maximum(counts - 1, 1)
        total = np.add.reduceat(right.ravel(), starts)
        expected = np.repeat(total / counts, counts).reshape(right.shape)
        farther = np.cumsum((expected * self._falls)[:, ::-1], axis=1)[:, ::-1]  # sums over l ≥ i
        farther[:, :-1] = farther[:, 1:]
        farther[:, -1] = 0.0
        constant = total * spread + farther.ravel()[starts + counts - 1]
        values: NDArray[np.float64] = right * np.repeat(mean + spread, counts).reshape(right.shape)
        values -= np.repeat(constant, counts).reshape(right.shape)
        return values

"""Reconstruct points from cost blocks: their squared distances to known points."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import cost_block
from wassay.transport.errors import InvalidMeasure, TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.masks import require_unmasked, require_unmasked_measure
from wassay.transport.measure import Measure
from wassay.transport.sweeps.polynomial_fit import fit_weights

_RANK = 1e-10
"""Directions in which the known points extend less than this share of the largest extent are not
determined."""


def unpushed_cost_block(blocks: Mapping[float, ArrayLike], p: Power = 2) -> NDArray[np.float64]:
    """Extrapolate a seller's cost blocks to s = 0, where the seller's points are raw records.

    Parameters
    ----------
    blocks : mapping of s to array_like, shape (n, m)
        Costs at three or more values of s: distances to the power p.
    p : {1, 2}

    Returns
    -------
    ndarray, shape (n, m)
        Squared distances of the records from the buyer's pushed points, also for p = 1.

    Raises
    ------
    TransportError
        If there are fewer than three values of s, or the blocks differ in shape.
    InvalidMeasure
        If a block is a masked array.
    """
    sweep = sorted(blocks)
    for s in sweep:
        require_unmasked(blocks[s], f"the cost block at s = {s:g}")
    squared = {s: np.asarray(blocks[s], dtype=np.float64) ** (2 / p) for s in sweep}
    shapes = {block.shape for block in squared.values()}
    if len(sweep) < 3 or len(shapes) != 1:
        raise TransportError(
            "expected cost blocks of one shape at three values of s or more, received shapes "
            f"{sorted(shapes)} at s = {sweep}"
        )
    # An entry ‖(1 − s) y + s b − x̃‖² is a quadratic in s, for a record y, its image b and a point
    # x̃ of the buyer.
    start: NDArray[np.float64] = sum(
        (share * squared[s] for share, s in zip(fit_weights(sweep)[0], sweep, strict=True)),
        np.zeros(shapes.pop()),
    )
    return start


def trilaterate(
    squared_distances: ArrayLike, known: ArrayLike, classes: NDArray[np.intp] | None = None
) -> Reconstruction:
    """Reconstruct points from their squared distances to known points.

    Parameters
    ----------
    squared_distances : array_like, shape (n, m)
        Squared distances of the n points to reconstruct from the m known ones.
    known : array_like, shape (m, d)
        The known points x_b.
    classes : ndarray of int, shape (m,), optional
        If points are labelled: the class of each known point, numbered from 0. An unknown number is
        then added to each squared distance: one number for each class and each point to
        reconstruct.

    Returns
    -------
    Reconstruction
        The points, or only projections of the points (see Notes). The residual is the relative
        error of the squared distances that the result gives.

    Raises
    ------
    InvalidMeasure
        If an array is masked, or a known point or a distance is not finite. Also if there is no
        known point, or if `squared_distances` does not have m columns.

    Notes
    -----
    The result is exact if the known points affinely span the space. For labelled points, the
    differences between known points of the same class must span it. Otherwise, the result has only
    the projections of the points on what is spanned.

    For labelled points, the smallest unknown number of each point is added to its squared span
    distance.
    """
    require_unmasked_measure(known, "known points")
    require_unmasked_measure(squared_distances, "distances")
    anchors = Measure(known).points
    squared = np.asarray(squared_distances, dtype=np.float64)
    if squared.ndim != 2 or squared.shape[1] != len(anchors):
        raise InvalidMeasure(
            f"expected distances of shape (n, {len(anchors)}), one column for each known point, "
            f"received shape {squared.shape}"
        )
    bad = np.argwhere(~np.isfinite(squared))
    if len(bad):
        row, column = bad[0]
        raise InvalidMeasure(
            f"expected finite distances, received {squared[row, column]} in row {row}, column "
            f"{column}: leave out the row, or the column and its known point",
            int(row),
        )
    centre = anchors.mean(axis=0)
    offsets = anchors - centre
    own = np.zeros(len(anchors), dtype=np.intp) if classes is None else classes
    within = offsets - _class_means(offsets.T, own)[:, own].T
    _, extents, directions = np.linalg.svd(within, full_matrices=False)
    rank = int(np.count_nonzero(extents > _RANK * max(extents[0], np.finfo(np.float64).tiny)))
    # ‖y − x_b‖² − ‖x_b‖² is linear in x_b with slope −2y, about any centre.
    linear = (np.einsum("ij,ij->i", offsets, offsets) - squared) / 2
    linear -= _class_means(linear, own)[:, own]
    along = within @ directions[:rank].T
    coordinates = np.linalg.lstsq(along, linear.T)[0].T if rank else np.zeros((len(squared), 0))
    points = centre + coordinates @ directions[:rank]
    from_span = cost_block(points, anchors)
    beyond = np.maximum(_class_means(squared - from_span, own), 0.0)
    span_distances = np.sqrt(beyond.min(axis=1))
    misfit = np.linalg.norm(from_span + beyond[:, own] - squared)
    size = np.linalg.norm(squared)
    return Reconstruction(
        points=points,
        method="trilateration",
        residual=float(misfit / size) if size else 0.0,
        rank=rank,
        span_distances=span_distances,
        solves=0,
        queries=1,
    )


def _class_means(rows: NDArray[np.float64], classes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return each row's mean over the columns of each class, shape (n, classes)."""
    belongs = (classes[:, None] == np.arange(classes.max() + 1)).astype(np.float64)
    means: NDArray[np.float64] = rows @ belongs / belongs.sum(axis=0)
    return means

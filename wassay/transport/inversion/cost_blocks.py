"""Distances to known points are coordinates: what cost blocks reveal to who holds η_μ(t0)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.costs.cost import Power
from wassay.transport.costs.point_cost import cost_block
from wassay.transport.errors import InvalidMeasure, TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.masks import require_unmasked, require_unmasked_measure
from wassay.transport.sweeps.quadratic import fit_weights

_RANK = 1e-10
"""Directions in which the known points extend less than this share of their extent are none."""


def block_without_push(blocks: Mapping[float, ArrayLike], p: Power = 2) -> NDArray[np.float64]:
    """Compute C(0), squared distances of the raw records, from cost blocks of three or more s.

    Every entry ‖(1 − s) y + s b − x̃‖² is a quadratic in s.

    Parameters
    ----------
    blocks : mapping of s to array_like, shape (n, m)
        Distances to the power p.

    Raises
    ------
    TransportError
        When there are fewer than three s, or the blocks differ in shape.
    """
    sweep = sorted(blocks)
    for s in sweep:
        require_unmasked(blocks[s], f"the cost block at s = {s:g}")
    squared = {s: np.asarray(blocks[s], dtype=np.float64) ** (2 / p) for s in sweep}
    shapes = {block.shape for block in squared.values()}
    if len(sweep) < 3 or len(shapes) != 1:
        raise TransportError(
            "three cost blocks of one shape determine each entry's quadratic in s, got s = "
            f"{sweep} with shapes {sorted(shapes)}"
        )
    start: NDArray[np.float64] = sum(
        (share * squared[s] for share, s in zip(fit_weights(sweep)[0], sweep, strict=True)),
        np.zeros(shapes.pop()),
    )
    return start


def trilaterate(
    squared_distances: ArrayLike, known: ArrayLike, classes: NDArray[np.intp] | None = None
) -> Reconstruction:
    """Find points from their squared distances to known points.

    Parameters
    ----------
    squared_distances : array_like, shape (n, m)
    known : array_like, shape (m, d)
    classes : ndarray of int, shape (m,), optional
        Of labelled points: the numbers, from 0, of the known ones' classes. The distances then hold
        an unknown amount for each point and class, and what tells are differences within classes.

    Returns
    -------
    Reconstruction
        Exact when the known points span the space affinely (their differences within classes do);
        otherwise the points' projections on their span, with the distances from it as `rest`, or
        with classes what the least of the unknown amounts leaves of them. The residual compares the
        distances of the reconstruction with the given ones.

    Raises
    ------
    InvalidMeasure
        When the known points are not finite, or the distances do not fit them.
    """
    require_unmasked_measure(known, "known points")
    require_unmasked_measure(squared_distances, "distances")
    anchors = np.asarray(known, dtype=np.float64)
    squared = np.asarray(squared_distances, dtype=np.float64)
    if squared.ndim != 2 or squared.shape[1] != len(anchors):
        raise InvalidMeasure(
            f"trilateration needs one column of distances for each of the {len(anchors)} known "
            f"points, got shape {squared.shape}"
        )
    centre = anchors.mean(axis=0)
    offsets = anchors - centre
    own = np.zeros(len(anchors), dtype=np.intp) if classes is None else classes
    within = offsets - _means(offsets.T, own)[:, own].T
    _, extents, directions = np.linalg.svd(within, full_matrices=False)
    rank = int(np.count_nonzero(extents > _RANK * max(extents[0], np.finfo(np.float64).tiny)))
    # ‖y − x_b‖² − ‖x_b‖² is linear in x_b with slope −2y, about any centre.
    linear = (np.einsum("ij,ij->i", offsets, offsets) - squared) / 2
    linear -= _means(linear, own)[:, own]
    along = within @ directions[:rank].T
    coordinates = np.linalg.lstsq(along, linear.T)[0].T if rank else np.zeros((len(squared), 0))
    points = centre + coordinates @ directions[:rank]
    seen_from_span = cost_block(points, anchors)
    beyond = np.maximum(_means(squared - seen_from_span, own), 0.0)
    rest = np.sqrt(beyond.min(axis=1))
    misfit = np.linalg.norm(seen_from_span + beyond[:, own] - squared)
    size = np.linalg.norm(squared)
    return Reconstruction(
        points=points,
        method="trilateration",
        residual=float(misfit / size) if size else 0.0,
        rank=rank,
        rest=rest,
        solves=0,
        queries=1,
    )


def _means(rows: NDArray[np.float64], classes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Means of each row over the entries of every class, shape (n, classes)."""
    belongs = (classes[:, None] == np.arange(classes.max() + 1)).astype(np.float64)
    means: NDArray[np.float64] = rows @ belongs / belongs.sum(axis=0)
    return means

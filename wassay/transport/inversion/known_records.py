"""Known records break a secret isometry."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure

_RANK = 1e-10
"""Directions that known records determine less than this share of the best one are noise."""


def align(seen: ArrayLike, known_rows: ArrayLike, known_records: ArrayLike) -> Reconstruction:
    """Undo an unknown similarity of the records with the help of some that are known.

    The rotation or reflection, scale and translation that carry the known records nearest to
    their rows (orthogonal Procrustes: Schönemann 1966) are undone for all rows. Records affinely
    spanning the space determine them; fewer determine the projection on their span.

    Parameters
    ----------
    seen : array_like, shape (n, d)
        The rows as the attacker has them: moved, and pushed perhaps.
    known_rows : array_like of int, shape (q,)
        Which of them the attacker recognises.
    known_records : array_like, shape (q, d)
        What these are in truth.

    Returns
    -------
    Reconstruction
        The residual is the known rows' share that the similarity does not explain.

    Raises
    ------
    TransportError
        When fewer than two records are known, or all that are known are one.
    """
    rows = Measure(seen).points
    truth = Measure(known_records).points
    moved = rows[np.asarray(known_rows, dtype=np.intp)]
    if len(moved) < 2 or moved.shape != truth.shape:
        raise TransportError(
            "to undo an isometry takes two or more known records and the row of each, got "
            f"{truth.shape} records for rows of shape {moved.shape}"
        )
    from_centre, moved_from_centre = truth - truth.mean(axis=0), moved - moved.mean(axis=0)
    left, strengths, right = np.linalg.svd(moved_from_centre.T @ from_centre)
    scale = float(strengths.sum() / max(np.square(from_centre).sum(), np.finfo(np.float64).tiny))
    if scale == 0:
        raise TransportError("the known records are all the same: no direction can be read off")
    rank = int(np.count_nonzero(strengths > _RANK * strengths[0]))
    offsets = (rows - moved.mean(axis=0)) / scale
    along = offsets @ left[:, :rank]
    outside = np.square(offsets).sum(axis=1) - np.square(along).sum(axis=1)
    unexplained = moved_from_centre / scale @ left[:, :rank] @ right[:rank] - from_centre
    return Reconstruction(
        points=truth.mean(axis=0) + along @ right[:rank],
        method=f"{len(moved)} known records aligned",
        residual=float(np.linalg.norm(unexplained) / np.linalg.norm(from_centre)),
        rank=rank,
        rest=np.sqrt(np.maximum(outside, 0.0)) if rank < rows.shape[1] else np.zeros(len(rows)),
        solves=0,
        queries=1,
    )

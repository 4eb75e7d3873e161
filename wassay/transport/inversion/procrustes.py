"""Undo a secret isometry with the help of known records (orthogonal Procrustes)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.errors import TransportError
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure

_RANK = 1e-10
"""Directions with a singular value below this share of the largest are noise."""


def align(observed: ArrayLike, known_rows: ArrayLike, known_records: ArrayLike) -> Reconstruction:
    """Undo an unknown similarity of records, some of which are known.

    Parameters
    ----------
    observed : array_like, shape (n, d)
        The rows as the attacker has them.
    known_rows : array_like of int, shape (q,)
        Indices of the rows that the attacker recognises, at least two.
    known_records : array_like, shape (q, d)
        The records behind these rows.

    Returns
    -------
    Reconstruction
        The records or, if the known ones do not affinely span the space, the records' projections
        on what those span. The residual is the relative error on the known records.

    Raises
    ------
    TransportError
        If fewer than two records are known, `known_rows` has another length than `known_records`,
        or all known records are equal.
    """
    rows = Measure(observed).points
    truth = Measure(known_records).points
    moved = rows[np.asarray(known_rows, dtype=np.intp)]
    if len(moved) < 2 or moved.shape != truth.shape:
        raise TransportError(
            "expected two or more known records and the row of each, received records of shape "
            f"{truth.shape} for rows of shape {moved.shape}"
        )
    from_centre, moved_from_centre = truth - truth.mean(axis=0), moved - moved.mean(axis=0)
    # The rotation or reflection, scale and translation that move the known records nearest to their
    # rows (Schönemann 1966).
    left, strengths, right = np.linalg.svd(moved_from_centre.T @ from_centre)
    scale = float(strengths.sum() / max(np.square(from_centre).sum(), np.finfo(np.float64).tiny))
    if scale == 0:
        raise TransportError("expected known records that differ, received one point several times")
    rank = int(np.count_nonzero(strengths > _RANK * strengths[0]))
    offsets = (rows - moved.mean(axis=0)) / scale
    along = offsets @ left[:, :rank]
    outside = np.square(offsets).sum(axis=1) - np.square(along).sum(axis=1)
    unexplained = moved_from_centre / scale @ left[:, :rank] @ right[:rank] - from_centre
    return Reconstruction(
        points=truth.mean(axis=0) + along @ right[:rank],
        method=f"Procrustes alignment of {len(moved)} known records",
        residual=float(np.linalg.norm(unexplained) / np.linalg.norm(from_centre)),
        rank=rank,
        span_distances=np.sqrt(np.maximum(outside, 0.0))
        if rank < rows.shape[1]
        else np.zeros(len(rows)),
        solves=0,
        queries=1,
    )

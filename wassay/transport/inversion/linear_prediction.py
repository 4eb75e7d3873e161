"""Predict records from their projections to fewer dimensions, with the help of similar records."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.errors import TransportError

Matrix = NDArray[np.float64]


def predict_unprojected(projected: ArrayLike, matrix: ArrayLike, similar: ArrayLike) -> Matrix:
    """Predict records from their projections, with the help of similar records.

    This is the best linear prediction, given the mean and the covariance of the similar records.

    Parameters
    ----------
    projected : array_like, shape (n, r)
        The projection of each record.
    matrix : array_like, shape (r, d)
        The matrix of the projection, with orthonormal rows.
    similar : array_like, shape (q, d)
        Records of the same kind, at least two.

    Returns
    -------
    ndarray, shape (n, d)

    Raises
    ------
    TransportError
        If there are fewer than two similar records.
    """
    records, rows = np.asarray(similar, np.float64), np.asarray(matrix, np.float64)
    mean, centred, shrinkage, scale = _moments(records)
    crossed = (1 - shrinkage) * (centred.T @ (centred @ rows.T)) / len(records)
    crossed += shrinkage * scale * rows.T
    deviations = np.asarray(projected, np.float64) - mean @ rows.T
    # m + ΣPᵀ(PΣPᵀ)⁻¹(Px − Pm) with the projection's matrix P, and the mean m and the shrunk
    # covariance Σ of the similar records.
    return mean + deviations @ np.linalg.pinv(rows @ crossed, hermitian=True) @ crossed.T


def predict_from_known(
    observed: ArrayLike, known_rows: ArrayLike, known_records: ArrayLike
) -> Matrix:
    """Predict records from the rows that an attacker observes, with the help of known records.

    The attacker need not know the projection or isometry that turns records into rows.

    Parameters
    ----------
    observed : array_like, shape (n, r)
        A row for each record.
    known_rows : array_like of int, shape (q,)
        Indices of the rows that the attacker recognises, at least two.
    known_records : array_like, shape (q, d)
        The records behind these rows.

    Returns
    -------
    ndarray, shape (n, d)

    Raises
    ------
    TransportError
        If fewer than two records are known.
    """
    rows, records = np.asarray(observed, np.float64), np.asarray(known_records, np.float64)
    mean, centred, shrinkage, scale = _moments(rows[np.asarray(known_rows, np.intp)])
    covariance = (1 - shrinkage) * (centred.T @ centred) / len(centred)
    covariance += shrinkage * scale * np.eye(len(mean))
    crossed = centred.T @ (records - records.mean(axis=0)) / len(centred)
    # A least-squares fit of the records by the rows.
    slopes = np.linalg.pinv(covariance, hermitian=True) @ crossed
    predicted: Matrix = records.mean(axis=0) + (rows - mean) @ slopes
    return predicted


def _moments(points: Matrix) -> tuple[Matrix, Matrix, float, float]:
    """Return the mean, the centred points, and the shrinkage and the scale.

    Σ, the points' covariance, shrinks to (1 − shrinkage) Σ + shrinkage · scale · I.
    Raise TransportError if there are fewer than two points.
    """
    if len(points) < 2:
        raise TransportError(f"expected two or more known records, received {len(points)}")
    count, dimension = points.shape
    mean = points.mean(axis=0)
    centred = points - mean
    gram = centred @ centred.T if count < dimension else centred.T @ centred
    # Few points determine their covariance badly (Chen, Wiesel, Eldar & Hero 2010).
    scale = float(np.trace(gram)) / count / dimension
    squares = float(np.square(gram / count).sum()) / dimension**2
    excess = (count + 1) * (squares - scale**2 / dimension)
    shrinkage = 1.0 if excess <= 0 else min((squares + scale**2) / excess, 1.0)
    return mean, centred, shrinkage, scale

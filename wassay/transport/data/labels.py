"""Labelled data: every class as the mean and the covariance of its points.

A label means nothing to somebody else, and the names of two owners' classes need not match: what is
compared are the points that bear the label (paper section 3.4.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.transport.bures import root_of_covariance, squared_bures_distance
from wassay.transport.costs.point_cost import PointCost
from wassay.transport.errors import TransportError
from wassay.transport.masks import require_unmasked
from wassay.transport.measure import Measure

Covariance: TypeAlias = Literal["diagonal", "full"]


def class_indices(labels: ArrayLike) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Number the classes of labels.

    Parameters
    ----------
    labels : array_like, shape (n,)
        Of one type that sorts: text or numbers, say. No label may be missing.

    Returns
    -------
    classes : ndarray, shape (c,)
        The distinct labels, ascending.
    index : ndarray of int, shape (n,)
        The class of every point, by its place among them.

    Raises
    ------
    TransportError
        If a label is masked, None or NaN (pandas' NA and NaT too), or labels do not sort.
    """
    require_unmasked(labels, "labels")
    # numpy makes text of lists that mix it with other things, and "nan" of what is missing.
    as_they_came = object if isinstance(labels, list | tuple) else None
    given = np.asarray(labels, dtype=as_they_came)
    if given.ndim != 1:
        raise TransportError(f"expected one label a point, shape (n,), got {given.shape}")
    missing = _missing(given)
    if missing.any():
        index = int(np.argmax(missing))
        raise TransportError(
            f"labels must not be missing, got {given[index]!r} at index {index}: give every point "
            "its class, or leave such points out"
        )
    try:
        classes, indices = np.unique(given, return_inverse=True)
    except TypeError as error:
        types = ", ".join(sorted({type(label).__name__ for label in given}))
        raise TransportError(
            f"labels must be of one type that sorts, got {types}: make text of all, or numbers"
        ) from error
    return classes, indices


def _missing(labels: NDArray[Any]) -> NDArray[np.bool_]:
    if labels.dtype.kind in "biuSU":
        return np.zeros(labels.shape, dtype=np.bool_)
    if labels.dtype.kind in "fcmM":
        return np.asarray(labels != labels)  # as NaN and NaT alone
    return np.fromiter(map(_is_missing, labels), dtype=np.bool_, count=len(labels))


def _is_missing(label: object) -> bool:
    try:
        return label is None or bool(label != label)
    except (TypeError, ValueError):  # pandas.NA equals nothing, and differs from nothing
        return True


@dataclass(frozen=True, eq=False)
class Classes:
    """What the owner of labelled points tells of every class.

    Attributes
    ----------
    index : ndarray of int, shape (n,)
        The class of every point.
    means : ndarray, shape (c, d)
        m_y.
    roots : ndarray, shape (c, d) or (c, d, d)
        Σ_y^{1/2}: the standard deviations, or the symmetric root of the whole covariance.
    """

    index: NDArray[np.intp]
    means: NDArray[np.float64]
    roots: NDArray[np.float64]

    @classmethod
    def of(
        cls, measure: Measure, labels: ArrayLike, covariance: Covariance = "diagonal"
    ) -> Classes:
        """Compute them from one's own points.

        Parameters
        ----------
        measure : Measure, n points
        labels : array_like, shape (n,)
            Of one type that sorts; none may be missing.
        covariance : {'diagonal', 'full'}

        Raises
        ------
        TransportError
            If there is not one label a point, one is missing, or a class has no mass.
        """
        names, index = class_indices(labels)
        if len(index) != measure.size:
            raise TransportError(f"expected {measure.size} labels, one a point, got {index.shape}")
        mass = np.bincount(index, measure.weights)
        if not mass.all():
            raise TransportError(f"class {names[np.argmin(mass)]} has no mass")
        shares = measure.weights / mass[index]
        means = np.zeros((len(names), measure.dimension))
        np.add.at(means, index, shares[:, None] * measure.points)
        centred = measure.points - means[index]
        if covariance == "diagonal":
            variances = np.zeros_like(means)
            np.add.at(variances, index, shares[:, None] * centred**2)
            return cls(index, means, np.sqrt(variances))
        roots = []
        for label in range(len(names)):
            own = index == label
            roots.append(root_of_covariance(centred[own], shares[own]))
        return cls(index, means, np.array(roots))


def with_labels(
    measure: Measure, labels: ArrayLike, covariance: Covariance = "diagonal"
) -> Measure:
    """The measure of X = [x; m_y; vec(Σ_y^{1/2})], which any mode can carry.

    Its squared costs are ‖x − x'‖² + ‖m_y − m_y'‖² + ‖Σ_y^{1/2} − Σ_y'^{1/2}‖². With diagonal
    covariances the last two are W_2² of the two classes taken as normal distributions; with full
    ones they are an upper bound of it.

    Parameters
    ----------
    measure : Measure of dimension d
    labels : array_like, shape (n,)
    covariance : {'diagonal', 'full'}
        Dimension 3 d, or 2 d + d².

    Raises
    ------
    TransportError
        As `Classes.of`.
    """
    classes = Classes.of(measure, labels, covariance)
    roots = classes.roots.reshape(len(classes.means), -1)[classes.index]
    return Measure(
        np.hstack([measure.points, classes.means[classes.index], roots]), measure.weights
    )


def labelled_cost(
    rows: Measure, row_classes: Classes, columns: Measure, column_classes: Classes
) -> NDArray[np.float64]:
    """Costs ‖x − x'‖² + W_2²(α_y, α_y') of labelled points, α_y the normal law of a class.

    The squared ground distance of OTDD (Alvarez-Melis & Fusi 2020), which is no Euclidean distance
    of vectors where covariances are full: it needs a mode that sends costs. The paper's eq. 12
    prints another one, (d + W)^½ with ‖Σ − Σ'‖ in W. For measures pushed towards a single reference
    point, with classes computed after the push, ours is quadratic in s as the plain costs are, and
    at s = t it is (1 − t)² that of the raw data.

    Returns
    -------
    ndarray, shape (n, m)

    Raises
    ------
    TransportError
        When one side's covariances are diagonal and the other's are full.
    """
    if row_classes.roots.ndim != column_classes.roots.ndim:
        raise TransportError("both owners need diagonal covariances, or both need full ones")
    between = np.array(
        [
            [_normal_distance(row_classes, y, column_classes, z) for z in _all(column_classes)]
            for y in _all(row_classes)
        ]
    )
    costs = PointCost(rows, columns).block(0, rows.size)
    costs += between[np.ix_(row_classes.index, column_classes.index)]
    return costs


def _all(classes: Classes) -> range:
    return range(len(classes.means))


def _normal_distance(one: Classes, y: int, other: Classes, z: int) -> float:
    """W_2² of two normal laws: the means' distance and that of Bures."""
    shift = float(np.square(one.means[y] - other.means[z]).sum())
    a, b = one.roots[y], other.roots[z]
    if a.ndim == 1:
        return shift + float(np.square(a - b).sum())
    return shift + squared_bures_distance(a, b)

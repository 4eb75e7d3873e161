"""Labelled points: a class is described by the mean and the covariance of its points.

Two owners may name the same class differently, because only points are compared (paper section
3.4.1).
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
    """Number the distinct labels; each label is a class.

    Parameters
    ----------
    labels : array_like, shape (n,)
        Labels of one sortable type, such as text or numbers; none may be missing.

    Returns
    -------
    classes : ndarray, shape (c,)
        The distinct labels, ascending.
    index : ndarray of int, shape (n,)
        The class of every point, as an index into `classes`.

    Raises
    ------
    TransportError
        If labels have another shape, do not sort, or one is masked, None, NaN, NaT or pandas' NA.
    """
    require_unmasked(labels, "labels")
    # numpy converts mixed lists to text, and missing labels to "nan".
    dtype = object if isinstance(labels, list | tuple) else None
    given = np.asarray(labels, dtype=dtype)
    if given.ndim != 1:
        raise TransportError(
            f"expected one label for each point, shape (n,), received "
            f"{repr(labels) if isinstance(labels, str) else f'shape {given.shape}'}: pass a list "
            "with the class of every point, such as the values of a column"
        )
    missing = _missing(given)
    if missing.any():
        index = int(np.argmax(missing))
        raise TransportError(
            f"expected a label for every point, received {given[index]!r} at index {index}: label "
            "the point, or leave it out"
        )
    try:
        classes, indices = np.unique(given, return_inverse=True)
    except TypeError as error:
        types = ", ".join(sorted({type(label).__name__ for label in given}))
        raise TransportError(
            f"expected labels of one sortable type, received {types}: convert them to text or "
            "numbers"
        ) from error
    return classes, indices


def _missing(labels: NDArray[Any]) -> NDArray[np.bool_]:
    if labels.dtype.kind in "biuSU":
        return np.zeros(labels.shape, dtype=np.bool_)
    if labels.dtype.kind in "fcmM":
        return np.asarray(labels != labels)  # only NaN and NaT differ from themselves
    return np.fromiter(map(_is_missing, labels), dtype=np.bool_, count=len(labels))


def _is_missing(label: object) -> bool:
    try:
        return label is None or bool(label != label)
    except (TypeError, ValueError):  # pandas.NA compares to NA, which has no truth value
        return True


@dataclass(frozen=True, eq=False)
class Classes:
    """Means and covariances of the classes of labelled points.

    Attributes
    ----------
    index : ndarray of int, shape (n,)
        The class of every point.
    means : ndarray, shape (c, d)
        Mean of each class.
    roots : ndarray, shape (c, d) or (c, d, d)
        For diagonal covariances: the standard deviations of each class. For full ones: the
        symmetric root of each class's covariance.
    """

    index: NDArray[np.intp]
    means: NDArray[np.float64]
    roots: NDArray[np.float64]

    @classmethod
    def of(
        cls, measure: Measure, labels: ArrayLike, covariance: Covariance = "diagonal"
    ) -> Classes:
        """Compute the classes of labelled points.

        Parameters
        ----------
        measure : Measure, n points
        labels : array_like, shape (n,)
            Labels of one sortable type; none may be missing.
        covariance : {'diagonal', 'full'}
            'diagonal' for variances only.

        Returns
        -------
        Classes

        Raises
        ------
        TransportError
            If the number of labels is not n, a label is missing, or a class has no mass.
        """
        names, index = class_indices(labels)
        if len(index) != measure.size:
            raise TransportError(
                f"expected {measure.size} labels, one for each point, received {len(index)}"
            )
        mass = np.bincount(index, measure.weights)
        if not mass.all():
            raise TransportError(
                f"expected classes with mass, received class {names[np.argmin(mass)]}, whose "
                "points have weight 0"
            )
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
    """Append to each point the mean of its class, and the root of the class's covariance.

    The new points can be used in every mode.

    Parameters
    ----------
    measure : Measure, n points in d dimensions
    labels : array_like, shape (n,)
        The label of each point.
    covariance : {'diagonal', 'full'}
        'diagonal' for variances only.

    Returns
    -------
    Measure
        In 3 d dimensions, or 2 d + d² for full covariances.

    Raises
    ------
    TransportError
        If the number of labels is not n, a label is missing, or a class has no mass.

    Notes
    -----
    A point x of class y becomes [x; m_y; vec(Σ_y^½)], where m_y and Σ_y are the mean and the
    covariance of the class.

    The squared distance of two new points is that of the old points, plus a term for their classes.
    For diagonal covariances, this term is W_2² between the normal distributions with the means and
    covariances of the classes. For full covariances, it is an upper bound of W_2².
    """
    classes = Classes.of(measure, labels, covariance)
    roots = classes.roots.reshape(len(classes.means), -1)[classes.index]
    return Measure(
        np.hstack([measure.points, classes.means[classes.index], roots]), measure.weights
    )


def labelled_cost(
    rows: Measure, row_classes: Classes, columns: Measure, column_classes: Classes
) -> NDArray[np.float64]:
    """Compute the costs between labelled points.

    A cost is the squared distance of two points, plus the squared W_2 of their classes.

    Parameters
    ----------
    rows : Measure, n points
    row_classes : Classes
        The classes of the rows' points.
    columns : Measure, m points
    column_classes : Classes
        The classes of the columns' points.

    Returns
    -------
    ndarray, shape (n, m)

    Raises
    ------
    TransportError
        If one side's covariances are diagonal and the other's full.

    Notes
    -----
    Let α_y be the normal distribution with the mean and the covariance of class y. The cost between
    the points x of class y and x' of class y' is ‖x − x'‖² + W_2²(α_y, α_y'). The root of the
    cost is the ground distance of OTDD, the optimal transport dataset distance (Alvarez-Melis &
    Fusi 2020). Eq. 12 of the paper instead takes the root of a sum of unsquared distances.

    With diagonal covariances, the costs are the squared distances of the points that `with_labels`
    returns. With full covariances they are not, so a seller must send the costs.

    Let both sides push their points to t0, towards a reference of one point, and then compute the
    classes. The costs are then (1 − t0)² times those of the raw points.
    """
    if row_classes.roots.ndim != column_classes.roots.ndim:
        raise TransportError(
            "expected both covariances diagonal or both full, received one of each"
        )
    between = np.array(
        [
            [
                _normal_distance(row_classes, y, column_classes, z)
                for z in _class_range(column_classes)
            ]
            for y in _class_range(row_classes)
        ]
    )
    costs = PointCost(rows, columns).block(0, rows.size)
    costs += between[np.ix_(row_classes.index, column_classes.index)]
    return costs


def _class_range(classes: Classes) -> range:
    return range(len(classes.means))


def _normal_distance(one: Classes, y: int, other: Classes, z: int) -> float:
    """Return W_2² between the normal distributions of class `y` of `one` and `z` of `other`."""
    # W_2² is the squared distance of the means plus the squared Bures distance of the covariances.
    shift = float(np.square(one.means[y] - other.means[z]).sum())
    a, b = one.roots[y], other.roots[z]
    if a.ndim == 1:
        return shift + float(np.square(a - b).sum())
    return shift + squared_bures_distance(a, b)

"""The interface of attacks that read columns from the shape of a cloud of points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Knowledge, Target
from wassay.transport import TransportError
from wassay.transport.inversion import (
    axes_of,
    beyond_chance,
    extrapolate,
    least_gaussian_components,
    principal_components,
)


@dataclass(frozen=True, eq=False)
class Part:
    """Some of the points, and a sample of other records of the same population.

    Attributes
    ----------
    rows : ndarray of int, shape (k,)
        Indices of the points.
    sample : ndarray, shape (m, d)
        Raw records that the receiver is assumed to have. The points come from other records.
    """

    rows: NDArray[np.intp]
    sample: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cloud:
    """The points that a receiver without the reference has, up to a secret isometry.

    Attributes
    ----------
    target : Target
    points : ndarray, shape (n, d)
        The points before the push, if the receiver can compute them from two pushes. Otherwise the
        pushed points at the smallest s or, for a buyer's message, at t0.
    parts : tuple of Part
        A partition of the points; each part has a sample of the population.
    columns : ndarray, shape (n, c)
        The columns of the true records. Attacks may start a search from these, to save time: a real
        receiver searches longer.
    columns_and_facts : ndarray, shape (n, c + f)
        `columns`, and the yes-or-no facts of the original table as 1 and 0.
    labels : tuple of ndarray of int, shape (n,)
        Partitions of the rows by fields of the original table: the group of each row.
    """

    target: Target
    points: NDArray[np.float64]
    parts: tuple[Part, ...]
    columns: NDArray[np.float64]
    columns_and_facts: NDArray[np.float64]
    labels: tuple[NDArray[np.intp], ...]

    @classmethod
    def of(
        cls,
        target: Target,
        parts: tuple[Part, ...],
        columns: NDArray[np.float64],
        columns_and_facts: NDArray[np.float64],
        labels: tuple[NDArray[np.intp], ...],
    ) -> Cloud | None:
        """Build the cloud for a target; the other parameters are attributes of the cloud.

        Returns
        -------
        Cloud or None
            None if the target has no pushed points.
        """
        if not target.pushed:
            return None
        if Knowledge.TWO_PUSHES in target.knowledge and target.located:
            first, *_, last = target.pushes
            try:
                found = extrapolate(target.measure_at(first), target.measure_at(last), first, last)
                return cls(target, found.points, parts, columns, columns_and_facts, labels)
            except TransportError:
                pass  # The points pushed least have nearly the same shape.
        s = target.pushes[0] if target.pushes else None
        return cls(target, target.pushed[s].points, parts, columns, columns_and_facts, labels)

    @cached_property
    def principal(self) -> NDArray[np.float64]:
        """The points' principal components, shape (n, k)."""
        return principal_components(self.points)

    @cached_property
    def independent(self) -> NDArray[np.float64]:
        """The points' independent components that are clearly not Gaussian, shape (n, k)."""
        return beyond_chance(self.least_gaussian, len(axes_of(self.points)[2]))

    @cached_property
    def least_gaussian(self) -> NDArray[np.float64]:
        """The points' least Gaussian components, shape (n, k); chance may explain some of them."""
        return least_gaussian_components(self.points)


@dataclass(frozen=True, eq=False)
class CertainCombination:
    """A linear combination of the sent columns, with a pattern that chance does not explain.

    It shows a column, or a sum of columns, of the table before scaling and whitening.

    Attributes
    ----------
    values : ndarray, shape (n,)
        The combination's value in each row.
    why : str
        A phrase that names the pattern, such as "rows are in its order (rank correlation 0.998)".
    exact : bool
        Whether `values` equal the column or the sum, up to scale, sign and origin.
    """

    values: NDArray[np.float64]
    why: str
    exact: bool

    @classmethod
    def of_whole_numbers(cls, values: NDArray[np.float64]) -> CertainCombination:
        """Build an exact combination from whole numbers, one for each row."""
        distinct = len(np.unique(values))
        return cls(
            values,
            f"{distinct} distinct whole numbers, and so exactly a column of the table before it "
            "was scaled or mixed, or a sum of some",
            exact=True,
        )


@dataclass(frozen=True, eq=False)
class Components:
    """What an attack finds: columns up to their order, sign, scale and origin.

    Attributes
    ----------
    values : ndarray, shape (n, c)
        One component in each column; no column if the attack finds none.
    remark : str
        A sentence on what else the attack finds; empty if nothing.
    norms : ndarray, shape (n,), or None
        Estimates of the records' norms, in the records' units; None if there are none.
    certain : tuple of CertainCombination
        Linear combinations of the sent columns, with patterns that chance does not explain. The
        audit reports them even if they resemble no single column.
    """

    values: NDArray[np.float64]
    remark: str = ""
    norms: NDArray[np.float64] | None = None
    certain: tuple[CertainCombination, ...] = ()


@dataclass(frozen=True)
class ColumnAttack:
    """A way to read columns without knowing any record.

    Attributes
    ----------
    name : str
    needs : frozenset of Knowledge
        What a receiver must know to run the attack, besides pushed points.
    run : callable
        Takes a `Cloud`; returns `Components`, or None if the attack does not apply to the cloud.
    """

    name: str
    needs: frozenset[Knowledge]
    run: Callable[[Cloud], Components | None]

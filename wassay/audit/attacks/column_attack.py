"""The interface of an attack that reads columns off the shape of a cloud."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wassay.audit.attacks.attack import Knowledge, Target
from wassay.transport import TransportError
from wassay.transport.inversion import (
    extrapolate,
    independent_components,
    principal_components,
)


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points up to a secret isometry, as a receiver without the reference has them.

    Attributes
    ----------
    target : Target
    points : ndarray, shape (n, d)
        At the smallest push that the receiver can compute.
    """

    target: Target
    points: NDArray[np.float64]

    @classmethod
    def of(cls, target: Target) -> Cloud | None:
        """Return the unpushed points if two pushes give them, or else those pushed least.

        Returns
        -------
        Cloud or None
            None if no points are sent.
        """
        if not target.pushed:
            return None
        if Knowledge.TWO_PUSHES in target.knowledge and target.located:
            first, *_, last = target.pushes
            try:
                found = extrapolate(target.measure_at(first), target.measure_at(last), first, last)
                return cls(target, found.points)
            except TransportError:
                pass  # The pushed points show nearly the same shape.
        s = target.pushes[0] if target.pushes else None
        return cls(target, target.pushed[s].points)

    @cached_property
    def principal(self) -> NDArray[np.float64]:
        """The principal components, which several attacks begin with."""
        return principal_components(self.points)

    @cached_property
    def independent(self) -> NDArray[np.float64]:
        """The independent components, which several attacks begin with."""
        return independent_components(self.points)


@dataclass(frozen=True, eq=False)
class Components:
    """The columns that an attack finds, up to their order, sign, scale and origin.

    Attributes
    ----------
    values : ndarray, shape (n, c)
        No columns if it finds none.
    remark : str
        What else it finds, in words.
    norms : ndarray, shape (n,), or None
        What it takes for the norms of the records, in their units.
    """

    values: NDArray[np.float64]
    remark: str = ""
    norms: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class ColumnAttack:
    """One way to read columns without knowing any record.

    Attributes
    ----------
    name : str
    needs : frozenset of Knowledge
        What a receiver must hold, beside pushed points.
    run : callable
        Takes a `Cloud`; returns `Components`, or None if the attack does not apply to it.
    """

    name: str
    needs: frozenset[Knowledge]
    run: Callable[[Cloud], Components | None]

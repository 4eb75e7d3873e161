"""Sparse transport plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Key = TypeVar("Key", np.intp, np.longdouble)

MAX_MARGINAL_ERROR = 1e-12
"""The most mass that rounding may misplace at one point."""

MAX_RESIDUE = 1e-15
"""Upper limit on the rounding error of sums of weights that should be equal."""

_MAX_RESIDUE_SHARE = 1e-10
"""A pair with more than this share of a point's mass is no residue."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A sparse coupling: mass[k] moves from row rows[k] to column columns[k].

    Attributes
    ----------
    rows, columns : ndarray of int, shape (l,)
    mass : ndarray, shape (l,)
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    mass: NDArray[np.float64]

    def marginal_error(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> float:
        """Return the largest difference between the plan's marginals and the weights."""
        row_error = _sums(self.rows, self.mass, row_weights) - row_weights
        column_error = _sums(self.columns, self.mass, column_weights) - column_weights
        return float(max(np.abs(row_error).max(), np.abs(column_error).max()))

    def only(self, indices: NDArray[np.intp]) -> Plan:
        """Return the pairs at these indices."""
        return Plan(self.rows[indices], self.columns[indices], self.mass[indices])

    def joined(self, other: Plan) -> Plan:
        """Return the pairs of both plans."""
        return Plan(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.columns, other.columns]),
            np.concatenate([self.mass, other.mass]),
        )

    def project_to_marginals(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> Plan:
        """Correct the plan's marginals to these weights, and drop pairs of negligible mass."""
        right = self.marginal_error(row_weights, column_weights) <= MAX_MARGINAL_ERROR
        plan = self if right else self.rounded_to_marginals(row_weights, column_weights)
        return plan.without_residues(row_weights, column_weights)

    def without_residues(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> Plan:
        """Drop the pairs whose mass is only a rounding error of sums of weights."""
        # Sums that should be equal, such as three thirds and two halves, can differ by one unit in
        # the last place. A costly pair must not carry that difference.
        lesser = np.minimum(row_weights[self.rows], column_weights[self.columns])
        residual = (self.mass < MAX_RESIDUE) & (self.mass < _MAX_RESIDUE_SHARE * lesser)
        return self.only(np.flatnonzero(~residual)) if residual.any() else self

    def rounded_to_marginals(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> Plan:
        """Round the plan to marginals of these weights (Altschuler et al. 2017, Algorithm 2)."""
        # The mass that is missing after the scaling moves along a northwest corner plan.
        scaled = self.scaled_down(row_weights, column_weights)
        return scaled.joined(northwest_corner(*scaled.missing(row_weights, column_weights)))

    def missing(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the mass that each row and each column lacks; 0 if it has enough."""
        row_rest = row_weights - _sums(self.rows, self.mass, row_weights)
        column_rest = column_weights - _sums(self.columns, self.mass, column_weights)
        return np.maximum(row_rest, 0), np.maximum(column_rest, 0)

    def scaled_down(
        self, row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]
    ) -> Plan:
        """Scale down the rows, and then the columns, that have more mass than their weight."""
        mass = _scale_down(self.rows, self.mass, row_weights)
        mass *= self.mass
        mass *= _scale_down(self.columns, mass, column_weights)
        return Plan(self.rows, self.columns, mass)


def northwest_corner(row_weights: NDArray[np.float64], column_weights: NDArray[np.float64]) -> Plan:
    """Build the northwest corner plan, which has at most n + m − 1 pairs.

    If the totals differ by rounding, the plan carries the smaller one.

    Parameters
    ----------
    row_weights, column_weights : ndarray, shapes (n,) and (m,)

    Returns
    -------
    Plan
    """
    # Sum in extended precision where the machine has it, so that equal sums differ by no more than
    # a residue.
    row_ends, column_ends = (
        np.cumsum(weights, dtype=np.longdouble) for weights in (row_weights, column_weights)
    )
    total = min(row_ends[-1], column_ends[-1])
    ends = sorted_unique(row_ends, column_ends)
    ends = np.append(ends[ends < total], total)
    starts = np.concatenate([np.zeros_like(ends[:1]), ends[:-1]])
    rows = np.minimum(np.searchsorted(row_ends, starts, side="right"), len(row_ends) - 1)
    columns = np.minimum(np.searchsorted(column_ends, starts, side="right"), len(column_ends) - 1)
    return Plan(rows, columns, (ends - starts).astype(np.float64))


def sorted_unique(*keys: NDArray[Key]) -> NDArray[Key]:
    """Return the unique keys of all arrays, sorted."""
    # A stable sort merges parts that are sorted, as most are: several times as fast as hashing.
    ascending = np.sort(np.concatenate(keys), kind="stable")
    first = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    return ascending[first]


def _scale_down(
    index: NDArray[np.intp], mass: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    sent = _sums(index, mass, weights)
    share = np.divide(weights, sent, out=np.ones_like(sent), where=sent > weights)
    return share[index]


def _sums(
    index: NDArray[np.intp], mass: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    # numpy's bincount returns integers for an empty list, even with weights.
    return np.bincount(index, mass, len(weights)).astype(np.float64, copy=False)

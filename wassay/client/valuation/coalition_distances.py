"""Estimate the distances of coalitions of sellers at the buyer's private t0."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.errors import InvalidArgumentError
from wassay.received_curves import distance_curve
from wassay.transport import (
    Coalition,
    Estimate,
    NegativeRadicand,
    aggregate_spread,
    coalition_among,
    estimate,
)


def all_coalitions(contribution_ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all coalitions of at least two contributions, except the grand coalition."""
    sizes = range(2, len(contribution_ids))
    return [coalition for size in sizes for coalition in combinations(contribution_ids, size)]


class CoalitionEstimates:
    """Estimates the distance at t0 of each coalition whose curve is known.

    If points were projected at random, an estimate's value is the distance of projected points.
    """

    def __init__(self, result: models.Result, push: PrivatePush) -> None:
        self._order = result.order
        self._push = push
        self._spreads = {
            seller.contribution_id: seller.projection_spread
            for seller in result.sellers
            if seller.projection_spread is not None
        }
        self._weights = {seller.contribution_id: seller.weight for seller in result.sellers}
        self._labels = {seller.contribution_id: seller.label for seller in result.sellers}
        everyone = list(self._weights)
        self._curves: dict[Coalition, models.Curve] = {}
        self._estimates: dict[Coalition, Estimate] = {}
        self._requested: set[frozenset[str]] = set()
        if result.grand_coalition is not None:
            self._curves[coalition_among(everyone, everyone)] = result.grand_coalition
        for seller in result.sellers:
            name = seller.contribution_id
            self._curves[coalition_among(everyone, [name])] = seller.singleton
            if seller.leave_one_out is not None:
                others = [other for other in everyone if other != name]
                self._curves[coalition_among(everyone, others)] = seller.leave_one_out
        self.add(result.coalitions)

    @property
    def contribution_ids(self) -> list[str]:
        """The ids of all contributions, in the order of `wassay.models.Result.sellers`."""
        return list(self._weights)

    @property
    def labels(self) -> Mapping[str, str]:
        """The label of each contribution."""
        return self._labels

    @property
    def weights(self) -> Mapping[str, float]:
        """The weight of each contribution; within a coalition, weights are divided by their sum."""
        return self._weights

    @property
    def requested(self) -> Collection[frozenset[str]]:
        """The coalitions that the buyer, or a valuation method, asked the service to solve."""
        return self._requested

    def require_aggregates(self) -> None:
        """Raise unless the result has the distance of all sellers together.

        Raises
        ------
        InvalidArgumentError
            If several contributions are in mode `scalar`.
        """
        everyone = self.contribution_ids
        if coalition_among(everyone, everyone) not in self._curves:
            raise InvalidArgumentError(
                "contributions in mode scalar give each seller's own distance only, so sellers "
                "cannot be valued: compare these distances instead"
            )

    def add(self, coalitions: Iterable[models.CoalitionResult]) -> None:
        """Add the coalitions of another evaluation of the same contributions."""
        for coalition in coalitions:
            self._requested.add(frozenset(coalition.contribution_ids))
            self._curves[self._coalition(coalition.contribution_ids)] = coalition.curve

    def __contains__(self, members: Collection[str]) -> bool:
        """Tell whether the curve of a coalition is known."""
        return self._coalition(members) in self._curves

    def __call__(self, members: Collection[str]) -> Estimate:
        """Estimate the distance of a coalition at t0.

        Raises
        ------
        KeyError
            If the curve of the coalition is not known.
        NegativeRadicand
            If the fit of the curve is negative at t0.
        """
        coalition = self._coalition(members)
        if coalition not in self._estimates:
            try:
                found = estimate(
                    distance_curve(self._curves[coalition], self._order),
                    self._push.t0,
                    buyer_spread=self._push.projection_spread,
                    seller_spread=_spread_of(set(members), self._spreads, self._weights),
                )
            except NegativeRadicand as error:
                error.add_note(f"in the curve of {self._named(members)}")
                raise
            self._estimates[coalition] = found if self._push.scaling is None else _at_least(found)
        return self._estimates[coalition]

    def _coalition(self, members: Collection[str]) -> Coalition:
        return coalition_among(self._weights.keys(), members)

    def _named(self, members: Collection[str]) -> str:
        if len(members) == len(self._labels) > 1:
            return "all sellers together"
        return ", ".join(self._labels[member] for member in sorted(members))


def _at_least(projected: Estimate) -> Estimate:
    """Remove the upper end of an interval: distances of projected points are only lower bounds."""
    if projected.interval is None:
        return projected
    return replace(projected, interval=(projected.interval[0], math.inf))


def _spread_of(
    members: set[str], spreads: Mapping[str, float], weights: Mapping[str, float]
) -> float | None:
    """Return the projection spread of a coalition; None if a member did not report a spread.

    `spreads` and `weights` have the spreads and weights of single contributions, by id.
    """
    if not members <= spreads.keys():
        return None
    total = sum(weights[member] for member in members)
    return aggregate_spread(
        {member: spreads[member] for member in members},
        {member: weights[member] / total for member in members},
    )

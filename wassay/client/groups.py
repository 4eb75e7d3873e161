"""Distances of groups of sellers at the buyer's private t0."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from wassay import models
from wassay.client.errors import InvalidArgumentError
from wassay.client.push import Push
from wassay.curves import distance_curve
from wassay.transport import (
    Estimate,
    Group,
    NegativeRadicand,
    aggregate_spread,
    estimate,
    group_of,
)


def every_group(contribution_ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Name the groups that an evaluation does not solve by itself: of two to N − 2 members."""
    sizes = range(2, len(contribution_ids) - 1)
    return [group for size in sizes for group in combinations(contribution_ids, size)]


class GroupEstimates:
    """What a result says at t0 of any group whose curve it holds."""

    def __init__(self, result: models.Result, push: Push) -> None:
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
        self._curves: dict[Group, models.Curve] = {}
        self._estimates: dict[Group, Estimate] = {}
        if result.together is not None:
            self._curves[group_of(everyone, everyone)] = result.together
        for seller in result.sellers:
            name = seller.contribution_id
            self._curves[group_of(everyone, [name])] = seller.alone
            if seller.without is not None:
                others = [other for other in everyone if other != name]
                self._curves[group_of(everyone, others)] = seller.without
        self.add(result.groups)

    @property
    def contribution_ids(self) -> list[str]:
        """Of all that were evaluated, in the result's order."""
        return list(self._weights)

    @property
    def weights(self) -> Mapping[str, float]:
        """What each contribution weighs in a group, up to a factor."""
        return self._weights

    def require_aggregates(self) -> None:
        """Let only sellers pass of whom it is known how far they are together.

        Raises
        ------
        InvalidArgumentError
            When several answered by scalars.
        """
        everyone = self.contribution_ids
        if group_of(everyone, everyone) not in self._curves:
            raise InvalidArgumentError(
                "these sellers answered by scalars, of which no distance of several together "
                "follows, nor what each adds: compare what they say of themselves alone"
            )

    def add(self, groups: Iterable[models.GroupResult]) -> None:
        """Take in what another evaluation of the same contributions has found."""
        for group in groups:
            self._curves[self._group(group.contribution_ids)] = group.curve

    def __contains__(self, members: Collection[str]) -> bool:
        """Whether the group's curve is known."""
        return self._group(members) in self._curves

    def __call__(self, members: Collection[str]) -> Estimate:
        """Evaluate the group's curve, which is known.

        Raises
        ------
        NegativeRadicand
            If the curve has no root at t0.
        """
        group = self._group(members)
        if group not in self._estimates:
            try:
                self._estimates[group] = estimate(
                    distance_curve(self._curves[group], self._order),
                    self._push.t0,
                    buyer_spread=self._push.projection_spread,
                    seller_spread=_spread_of(set(members), self._spreads, self._weights),
                )
            except NegativeRadicand as error:
                error.add_note(f"in the curve of {self._named(members)}")
                raise
        return self._estimates[group]

    def _group(self, members: Collection[str]) -> Group:
        return group_of(self._weights.keys(), members)

    def _named(self, members: Collection[str]) -> str:
        if len(members) == len(self._labels) > 1:
            return "all sellers together"
        return ", ".join(self._labels[member] for member in sorted(members))


def _spread_of(
    members: set[str], spreads: Mapping[str, float], weights: Mapping[str, float]
) -> float | None:
    """σ_ν of some of the sellers, or None when one of them did not tell theirs."""
    if not members <= spreads.keys():
        return None
    total = sum(weights[member] for member in members)
    return aggregate_spread(
        {member: spreads[member] for member in members},
        {member: weights[member] / total for member in members},
    )

"""Choose contributions to buy within a budget."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from wassay.transport.errors import TransportError
from wassay.transport.market.ties import HasTieInterval, ranks, smallest_first

Proven = TypeVar("Proven", bound=HasTieInterval)


@dataclass(frozen=True)
class Purchase(Generic[Proven]):
    """One contribution bought.

    Attributes
    ----------
    contribution_id : str
    spent : float
        Total spent so far, including this purchase.
    distance : Distance or Estimate
        Distance between the buyer and all contributions bought so far, with its certificate or
        interval.
    label : str
        The name under which the buyer sees the contribution; empty if it is unknown.
    """

    contribution_id: str
    spent: float
    distance: Proven
    label: str = ""


PurchaseSteps = Generator[
    list[frozenset[str]], Mapping[frozenset[str], Proven], tuple[Purchase[Proven], ...]
]
"""Yields the coalitions to solve next, is sent their distances, and returns the purchases."""


def buy_greedily(
    prices: Mapping[str, float],
    budget: float,
    distance: Callable[[frozenset[str]], Proven],
) -> tuple[Purchase[Proven], ...]:
    """Buy, one by one, the contribution that brings the bought coalition nearest to the buyer.

    This is a heuristic: another coalition may be nearer for the same money.

    Parameters
    ----------
    prices : mapping of contribution id to float
        Not negative.
    budget : float
        Not negative. At each step, only what the rest of it can pay for is compared.
    distance : callable
        Returns the distance between a non-empty coalition and the buyer. Called at most
        N + (N − 1) + … + 1 times for N contributions.

    Returns
    -------
    tuple of Purchase
        In order of purchase; empty if nothing is affordable.

    Raises
    ------
    TransportError
        If a price or the budget is negative or NaN.

    Notes
    -----
    Of contributions that tie, the cheapest is bought. After the first purchase, a contribution is
    bought only if it is proven to reduce the distance.
    """
    buying: PurchaseSteps[Proven] = purchase_steps(prices, budget)
    coalitions = next(buying)
    while True:
        try:
            coalitions = buying.send({coalition: distance(coalition) for coalition in coalitions})
        except StopIteration as ended:
            bought: tuple[Purchase[Proven], ...] = ended.value
            return bought


def purchase_steps(prices: Mapping[str, float], budget: float) -> PurchaseSteps[Proven]:
    """Buy like `buy_greedily`, as a generator that asks the caller for the distances.

    Parameters
    ----------
    prices, budget
        See `buy_greedily`.

    Yields
    ------
    list of frozenset of str
        Coalitions. Send a dict with the distance of each into the generator.

    Returns
    -------
    tuple of Purchase
        What `buy_greedily` returns, as the value of StopIteration.

    Raises
    ------
    TransportError
        If a price or the budget is negative or NaN.
    """
    wrong = {seller: price for seller, price in prices.items() if not price >= 0}
    if wrong:
        raise TransportError(f"expected prices that are not negative, received {wrong}")
    if not budget >= 0:
        raise TransportError(f"expected a budget that is not negative, received {budget}")
    bought: list[Purchase[Proven]] = []
    coalition: frozenset[str] = frozenset()
    spent = 0.0
    while True:
        affordable = [s for s in prices if s not in coalition and spent + prices[s] <= budget]
        found = yield [coalition | {seller} for seller in affordable]
        if not affordable:
            return tuple(bought)
        reached = {seller: found[coalition | {seller}] for seller in affordable}
        if bought:
            lowest, _ = bought[-1].distance.tie_interval
            reached = {
                seller: distance
                for seller, distance in reached.items()
                if distance.tie_interval[1] < lowest
            }
        if not reached:
            return tuple(bought)
        rank = ranks(reached)
        ties = [seller for seller in smallest_first(reached) if rank[seller] == 0]
        chosen = min(ties, key=lambda seller: prices[seller])
        coalition |= {chosen}
        spent += prices[chosen]
        bought.append(Purchase(chosen, spent, reached[chosen]))

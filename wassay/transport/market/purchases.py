"""Which sellers to buy from, for a budget."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from wassay.transport.errors import TransportError
from wassay.transport.market.ties import Known, ranks, smallest_first

Proven = TypeVar("Proven", bound=Known)


@dataclass(frozen=True)
class Purchase(Generic[Proven]):
    """One more seller bought.

    Attributes
    ----------
    contribution_id : str
        Who.
    spent : float
        In all, this purchase included.
    distance : Distance or Estimate
        Of everybody bought so far, together, with its certificate or interval.
    """

    contribution_id: str
    spent: float
    distance: Proven


PurchaseSteps = Generator[
    list[frozenset[str]], Mapping[frozenset[str], Proven], tuple[Purchase[Proven], ...]
]
"""Says which coalitions have to be compared next, and is sent their distances."""


def buy_greedily(
    prices: Mapping[str, float],
    budget: float,
    distance: Callable[[frozenset[str]], Proven],
) -> tuple[Purchase[Proven], ...]:
    """Buy, one after the other, the seller who brings all bought so far nearest to the buyer.

    Of several who are not told apart (see `ranks`), the cheapest is bought. Ends when nobody who
    can still be paid is proven to bring it nearer: a gain that may be none is not paid for. Greedy
    is a rule of thumb: another coalition may be nearer for the same money, and what is certified is
    the distance of this one.

    Parameters
    ----------
    prices : mapping of seller id to float
        What each asks, not negative.
    budget : float
        Most that may be spent.
    distance : callable
        Of a coalition that is not empty; asked N + (N − 1) + … times at most.

    Returns
    -------
    tuple of Purchase
        In order; empty when nobody can be paid.

    Raises
    ------
    TransportError
        When a price or the budget is negative or not a number.
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
    """Buy as `buy_greedily` does, for whoever gets distances elsewhere."""
    wrong = {seller: price for seller, price in prices.items() if not price >= 0}
    if wrong:
        raise TransportError(f"prices are not negative, got {wrong}")
    if not budget >= 0:
        raise TransportError(f"a budget is not negative, got {budget}")
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
            lowest, _ = bought[-1].distance.resolution
            reached = {
                seller: distance
                for seller, distance in reached.items()
                if distance.resolution[1] < lowest
            }
        if not reached:
            return tuple(bought)
        rank = ranks(reached)
        ties = [seller for seller in smallest_first(reached) if rank[seller] == 0]
        chosen = min(ties, key=lambda seller: prices[seller])
        coalition |= {chosen}
        spent += prices[chosen]
        bought.append(Purchase(chosen, spent, reached[chosen]))

"""Shapley values of sellers: what each adds on average, whoever came before.

The worth of a group is minus its distance to the buyer. A group of nobody has no distance, so it is
given that of the farthest seller alone; another choice would move all values by one constant, and
the contributions normalised to [0, 1] not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError

EXACT_UP_TO = 10
"""With so many sellers all 2^N − 1 groups are solved; with more, orders are sampled."""

_LEAST_PAIRS = 8
"""Pairs of orders in which a seller is neither first nor last, before their error is believed."""

_SAME = 1e-3
"""Values that differ by less than this share of the largest distance are not told apart."""


@dataclass(frozen=True)
class Shapley:
    """Shapley values of −W.

    Attributes
    ----------
    values : dict of seller id to float
        In units of the coordinates; they sum to the farthest seller's distance alone less that of
        all together, exactly where every group was solved.
    standard_errors : dict of seller id to float
        Zero when every group was solved.
    orders : int
        How many orders of the sellers were sampled; 0 when every group was solved.
    converged : bool
        Whether the stopping rule was met; False when `most_orders` ended the sampling.
    """

    values: dict[str, float]
    standard_errors: dict[str, float]
    orders: int
    converged: bool

    @property
    def normalised(self) -> dict[str, float]:
        """Scaled to [0, 1], 1 for the seller who adds most; all 1 where all add the same."""
        low, high = min(self.values.values()), max(self.values.values())
        if low == high:
            return dict.fromkeys(self.values, 1.0)
        return {seller: (value - low) / (high - low) for seller, value in self.values.items()}


def shapley(
    sellers: Sequence[str],
    distance: Callable[[frozenset[str]], float],
    *,
    tolerance: float = 0.05,
    most_orders: int = 2000,
    seed: int = 0,
) -> Shapley:
    """Share the worth −W of all sellers together among them.

    Up to ten sellers every group is asked for. With more, what the first and the last of an order
    add is exact (each seller alone, and left out), and what those between add is averaged over
    random orders, each taken forwards and backwards, until the largest standard error is at most
    `tolerance` times the distance between the largest and the smallest value, or too small to
    matter.

    Parameters
    ----------
    sellers : sequence of str
        At least one, each once.
    distance : callable
        W of a group that is not empty. May be asked for one group several times.
    tolerance : float
        Largest standard error, as a share of the range of the values; sampling only.
    most_orders : int
        Sampling ends here at the latest.
    seed : int
        Of the sampled orders.

    Raises
    ------
    TransportError
        When there is no seller, or one comes twice.
    """
    players = tuple(sellers)
    if not players or len(set(players)) < len(players):
        raise TransportError(f"values are shared among sellers, each once, got {list(sellers)}")
    if len(players) <= EXACT_UP_TO:
        return _exact(players, distance)
    return _sampled(players, distance, tolerance, most_orders, seed)


def _exact(players: tuple[str, ...], distance: Callable[[frozenset[str]], float]) -> Shapley:
    count = len(players)
    groups = [frozenset(g) for k in range(1, count + 1) for g in combinations(players, k)]
    known = {group: distance(group) for group in groups}
    known[frozenset()] = max(known[frozenset((player,))] for player in players)
    orders = math.factorial(count)
    values = {}
    for player in players:
        shares = [
            math.factorial(len(group))
            * math.factorial(count - len(group) - 1)
            / orders
            * (known[group] - known[group | {player}])
            for group in known
            if player not in group
        ]
        values[player] = math.fsum(shares)
    return Shapley(values, dict.fromkeys(players, 0.0), orders=0, converged=True)


def _sampled(
    players: tuple[str, ...],
    distance: Callable[[frozenset[str]], float],
    tolerance: float,
    most_orders: int,
    seed: int,
) -> Shapley:
    everyone = frozenset(players)
    alone = np.array([distance(frozenset((player,))) for player in players])
    without = np.array([distance(everyone - {player}) for player in players])
    count = len(players)
    ends = (alone.max() - alone + without - distance(everyone)) / count
    orders = _orders(count, seed)
    pairs: list[NDArray[np.float64]] = []
    values, error = ends, np.full(count, np.inf)
    converged = False
    while not converged and 2 * len(pairs) < most_orders:
        order = next(orders)
        pairs.append(
            (_between(players, order, distance) + _between(players, order[::-1], distance)) / 2
        )
        seen = len(pairs) - np.isnan(pairs).sum(axis=0)
        if seen.min() < 2:
            continue
        values = ends + (count - 2) / count * np.nanmean(pairs, axis=0)
        error = (count - 2) / count * np.nanstd(pairs, axis=0, ddof=1) / np.sqrt(seen)
        allowed = max(tolerance * float(np.ptp(values)), _SAME * alone.max() / count)
        converged = bool(error.max() <= allowed and seen.min() >= _LEAST_PAIRS)
    return Shapley(
        dict(zip(players, map(float, values), strict=True)),
        dict(zip(players, map(float, error), strict=True)),
        orders=2 * len(pairs),
        converged=converged,
    )


def sampled_groups(sellers: Sequence[str], orders: int, seed: int = 0) -> list[frozenset[str]]:
    """The groups that `shapley` asks for when it samples so many orders.

    For whoever has to name them beforehand. All together, each alone and all without each, which it
    asks for too, are not among them.

    Parameters
    ----------
    sellers : sequence of str
        In the order in which `shapley` gets them.
    orders : int
        `most_orders` of `shapley`: even, for each order is also taken backwards.
    seed : int
    """
    players = tuple(sellers)
    known = {}
    for order in islice(_orders(len(players), seed), orders // 2):
        for direction in (order, order[::-1]):
            known.update(dict.fromkeys(_growing(players, direction[:-1])))
    return [group for group in known if 1 < len(group) < len(players) - 1]


def _orders(count: int, seed: int) -> Iterator[NDArray[np.intp]]:
    random = np.random.default_rng(seed)
    while True:
        yield random.permutation(count)


def _between(
    players: tuple[str, ...],
    order: NDArray[np.intp],
    distance: Callable[[frozenset[str]], float],
) -> NDArray[np.float64]:
    """What everybody adds who is neither the first nor the last of an order, as they are not both
    ways; nothing is known of those two.
    """
    added = np.full(len(players), np.nan)
    distances = [distance(group) for group in _growing(players, order[:-1])]
    added[order[1:-1]] = [before - after for before, after in pairwise(distances)]
    return added


def _growing(players: tuple[str, ...], order: NDArray[np.intp]) -> Iterator[frozenset[str]]:
    group: frozenset[str] = frozenset()
    for index in order:
        group |= {players[index]}
        yield group

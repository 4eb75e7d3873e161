"""What every seller is worth to a buyer: together, alone, left out, and point by point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from wassay.transport.cost import Cost, GivenCost, Power
from wassay.transport.curve import DistanceCurve
from wassay.transport.errors import TransportError
from wassay.transport.exact import Solution, solve
from wassay.transport.measure import MASS_TOLERANCE, as_weights
from wassay.transport.prepared import default_memory_budget
from wassay.transport.scores import Scores, scores
from wassay.transport.sellers import Coalition, SellerCosts


@dataclass(frozen=True, eq=False)
class Valuation:
    """All that a request's costs say.

    Attributes
    ----------
    together : DistanceCurve
        Of the aggregate Σ w_i ν_i.
    alone : dict of seller id to DistanceCurve
        Of every seller by itself.
    without : dict of seller id to DistanceCurve
        Of the aggregate without that seller, the other weights rescaled; empty for one seller.
    buyer_scores : dict of s to Scores
        Of the buyer's points in the aggregate.
    seller_scores : dict of seller id to dict of s to Scores
        Of every seller's points in the aggregate.
    seller_weights : dict of seller id to float
        w_i.
    """

    together: DistanceCurve
    alone: dict[str, DistanceCurve]
    without: dict[str, DistanceCurve]
    buyer_scores: dict[float, Scores]
    seller_scores: dict[str, dict[float, Scores]]
    seller_weights: dict[str, float]


def evaluate(
    buyer_weights: ArrayLike,
    sellers: Sequence[SellerCosts],
    sweep: Sequence[float],
    *,
    p: Power = 2,
    seller_weights: Mapping[str, float] | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Valuation:
    """Solve a request: every seller together, alone and left out, for every s of the sweep.

    Parameters
    ----------
    buyer_weights : array_like, shape (m,)
        Of the buyer's points.
    sellers : sequence of SellerCosts
        At least one, with distinct ids.
    sweep : sequence of float
        The s to solve, at least three; every seller needs costs for all of them.
    p : {1, 2}
    seller_weights : mapping of seller id to float, optional
        w_i, summing to one; n_i / Σ n by default, so that every point counts the same.
    progress : callable
        Called with (solves done, solves in all) after each and a few times a second during long
        ones; what it raises ends the work.

    Raises
    ------
    TransportError
        When sellers, sweep, weights or costs do not fit together.
    NotCertified
        When a solve could not be proven.
    """
    values = _checked_sweep(sellers, sweep)
    together = Coalition(tuple(sellers), _shares(sellers, seller_weights))
    buyer = as_weights(buyer_weights, sellers[0].costs[values[0]].shape[1])
    coalitions = [together]
    if len(sellers) > 1:
        coalitions += [Coalition((seller,), (1.0,)) for seller in sellers]
        coalitions += [together.without(seller.seller_id) for seller in sellers]
    solutions: list[dict[float, Solution]] = [{} for _ in coalitions]
    buyer_scores: dict[float, Scores] = {}
    seller_scores: dict[str, dict[float, Scores]] = {seller.seller_id: {} for seller in sellers}
    done, total = 0, len(values) * len(coalitions)
    total_pairs = len(together.weights) * len(buyer)

    def report() -> None:
        progress(done, total)

    for s in values:
        blocks = {seller.seller_id: _at_hand(seller, s, total_pairs) for seller in sellers}
        for coalition, solved in zip(coalitions, solutions, strict=True):
            cost = coalition.cost(blocks)
            solved[s] = solve(cost, coalition.weights, buyer, pulse=report)
            if coalition is together:
                row_scores, buyer_scores[s] = scores(cost, solved[s])
                for seller, own_scores in _each_sellers(sellers, row_scores):
                    seller_scores[seller.seller_id][s] = own_scores
            done += 1
            report()
    curves = [
        coalition.curve(p, solved) for coalition, solved in zip(coalitions, solutions, strict=True)
    ]
    ids = [seller.seller_id for seller in sellers]
    alone = curves[1 : 1 + len(ids)] if len(ids) > 1 else curves
    return Valuation(
        together=curves[0],
        alone=dict(zip(ids, alone, strict=True)),
        without=dict(zip(ids, curves[1 + len(ids) :], strict=len(ids) > 1)),
        buyer_scores=buyer_scores,
        seller_scores=seller_scores,
        seller_weights=dict(zip(ids, together.shares, strict=True)),
    )


def contributions(distances: Mapping[str, float]) -> dict[str, float]:
    """Normalise the sellers' distances to [0, 1]: 1 for the nearest, 0 for the farthest.

    All are 1 where all distances are equal.

    Raises
    ------
    TransportError
        When a distance is not finite.
    """
    values = list(distances.values())
    if not all(map(math.isfinite, values)):
        raise TransportError(f"distances must be finite, got {dict(distances)}")
    nearest, farthest = min(values, default=0.0), max(values, default=0.0)
    if nearest == farthest:
        return dict.fromkeys(distances, 1.0)
    return {
        seller: (farthest - value) / (farthest - nearest) for seller, value in distances.items()
    }


def _at_hand(seller: SellerCosts, s: float, total_pairs: int) -> Cost:
    """The seller's costs in memory, where all sellers' fit there: they are used many times."""
    cost = seller.costs[s]
    if total_pairs * np.float64().itemsize > default_memory_budget():
        return cost
    return GivenCost(cost.block(0, seller.size))


def _checked_sweep(sellers: Sequence[SellerCosts], sweep: Sequence[float]) -> list[float]:
    values = sorted(set(sweep))
    if len(values) < 3 or not all(0 < s < 1 for s in values):
        raise TransportError(
            f"a sweep needs at least three distinct values of s in (0, 1), got {list(sweep)}"
        )
    ids = [seller.seller_id for seller in sellers]
    if not ids or len(set(ids)) < len(ids):
        raise TransportError(f"an evaluation needs at least one seller, each once, got {ids}")
    for seller in sellers:
        missing = [s for s in values if s not in seller.costs]
        if missing:
            raise TransportError(f"seller {seller.seller_id} has no costs for s = {missing}")
    return values


def _shares(
    sellers: Sequence[SellerCosts], seller_weights: Mapping[str, float] | None
) -> tuple[float, ...]:
    if seller_weights is None:
        total = sum(seller.size for seller in sellers)
        return tuple(seller.size / total for seller in sellers)
    if seller_weights.keys() != {seller.seller_id for seller in sellers}:
        raise TransportError(
            "seller weights must name every seller of the evaluation and nobody else, got "
            f"{sorted(seller_weights)}"
        )
    shares = tuple(float(seller_weights[seller.seller_id]) for seller in sellers)
    if not all(share > 0 for share in shares) or abs(math.fsum(shares) - 1) > MASS_TOLERANCE:
        raise TransportError(f"seller weights must be positive and sum to 1, got {seller_weights}")
    return shares


def _each_sellers(
    sellers: Sequence[SellerCosts], row_scores: Scores
) -> Iterator[tuple[SellerCosts, Scores]]:
    start = 0
    for seller in sellers:
        own = slice(start, start + seller.size)
        yield seller, Scores(row_scores.values[own], row_scores.spread[own], row_scores.method)
        start += seller.size

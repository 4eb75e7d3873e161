"""What every seller is worth to a buyer: together, alone, left out, and point by point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from wassay.transport.costs.cost import Power
from wassay.transport.market.problems import TOGETHER, Group, PartyScores, Solved, plan
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.sweeps.curve import DistanceCurve
from wassay.transport.sweeps.sweep import SolvedPoint, curve_through


@dataclass(frozen=True, eq=False)
class Curves:
    """The distance curves of all groups of sellers.

    Attributes
    ----------
    together : DistanceCurve
        Of the aggregate Σ w_i ν_i.
    alone : dict of seller id to DistanceCurve
        Of every seller by itself.
    without : dict of seller id to DistanceCurve
        Of the aggregate without that seller, the other weights rescaled; empty for one seller.
    some : dict of tuple of seller id to DistanceCurve
        Of the other groups that were asked for, by their members in ascending order.
    """

    together: DistanceCurve
    alone: dict[str, DistanceCurve]
    without: dict[str, DistanceCurve]
    some: dict[tuple[str, ...], DistanceCurve]


@dataclass(frozen=True, eq=False)
class Valuation(Curves):
    """All that a request's costs say: the curves, and scores.

    Attributes
    ----------
    buyer_scores : dict of s to Scores
        Of the buyer's points in the aggregate.
    seller_scores : dict of seller id to dict of s to Scores
        Of every seller's points in the aggregate.
    seller_weights : dict of seller id to float
        w_i.
    """

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
    groups: Iterable[Collection[str]] = (),
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Valuation:
    """Solve a request: every seller together, alone and left out, for every s of the sweep.

    Parameters
    ----------
    buyer_weights, sellers, sweep, p, seller_weights
        See `Market`.
    groups : iterable of collection of str
        Of seller ids: further groups to solve.
    progress : callable
        Called with (solves done, solves in all) after each and a few times a second during long
        ones; what it raises ends the work.

    Raises
    ------
    TransportError
        When sellers, sweep, weights or costs do not fit together.
    NotCertified
        When a solve could not be proven.
    SolverMissing
        If the extra `solver` is not installed.
    """
    from wassay.transport.market.market import Market

    market = Market(buyer_weights, sellers, sweep, p=p, seller_weights=seller_weights)
    ids = list(market.shares)
    problems = plan(ids, market.sweep, groups)
    solved: list[Solved] = []
    found: dict[float, PartyScores] = {}
    for one, scored in market.solve(problems, lambda: progress(len(solved), len(problems))):
        solved.append(one)
        if scored is not None:
            found[one.solve.s] = scored
        progress(len(solved), len(problems))
    curves = curves_of(ids, solved, p)
    return Valuation(
        curves.together,
        curves.alone,
        curves.without,
        curves.some,
        buyer_scores={s: scored.buyer for s, scored in found.items()},
        seller_scores={name: {s: found[s].sellers[name] for s in found} for name in ids},
        seller_weights=market.shares,
    )


def curves_of(seller_ids: Sequence[str], solved: Iterable[Solved], p: Power = 2) -> Curves:
    """Put the curves together, once all problems of `plan` are solved.

    Parameters
    ----------
    seller_ids : sequence of str
        All sellers.
    solved : iterable of Solved
        In any order.
    p : {1, 2}
    """
    curves = group_curves(solved, p)
    several = len(seller_ids) > 1
    together = curves[TOGETHER]
    return Curves(
        together,
        {seller: curves[Group("alone", seller)] if several else together for seller in seller_ids},
        {seller: curves[Group("without", seller)] for seller in seller_ids if several},
        {group.members: curve for group, curve in curves.items() if group.kind == "some"},
    )


def group_curves(solved: Iterable[Solved], p: Power = 2) -> dict[Group, DistanceCurve]:
    """The curve of every group that was solved at all s, in whatever order."""
    points: defaultdict[Group, dict[float, SolvedPoint]] = defaultdict(dict)
    displacements: dict[Group, float | None] = {}
    for each in solved:
        points[each.solve.group][each.solve.s] = each.point
        displacements[each.solve.group] = each.displacement
    return {
        group: curve_through(p, of_group, displacements[group])
        for group, of_group in points.items()
    }

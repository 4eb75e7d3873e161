"""What every seller is worth to a buyer: together, alone, left out, and point by point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from wassay.transport.costs.cost import Power
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.market.subproblems import (
    GRAND_COALITION,
    Coalition,
    PartyScores,
    SolvedSubproblem,
    subproblems,
)
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.sweeps.curve import DistanceCurve
from wassay.transport.sweeps.sweep import SolvedPoint, curve_through


@dataclass(frozen=True, eq=False)
class Curves:
    """The distance curves of all coalitions of sellers.

    Attributes
    ----------
    together : DistanceCurve
        Of the aggregate Σ w_i ν_i.
    alone : dict of seller id to DistanceCurve
        Of every seller by itself.
    leave_one_out : dict of seller id to DistanceCurve
        Of the aggregate without that seller, the other weights rescaled; empty for one seller.
    coalitions : dict of tuple of seller id to DistanceCurve
        Of the other coalitions that were asked for, by their members in ascending order.
    """

    together: DistanceCurve
    alone: dict[str, DistanceCurve]
    leave_one_out: dict[str, DistanceCurve]
    coalitions: dict[tuple[str, ...], DistanceCurve]


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
    coalitions: Iterable[Collection[str]] = (),
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Valuation:
    """Solve a request: every seller together, alone and left out, for every s of the sweep.

    Parameters
    ----------
    buyer_weights, sellers, sweep, p, seller_weights
        See `Market`.
    coalitions : iterable of collection of str
        Of seller ids: further coalitions to solve.
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
    problems = subproblems(ids, market.sweep, coalitions)
    solved: list[SolvedSubproblem] = []
    found: dict[float, PartyScores] = {}
    for one, scored in market.solve(problems, lambda: progress(len(solved), len(problems))):
        solved.append(one)
        if scored is not None:
            found[one.subproblem.s] = scored
        progress(len(solved), len(problems))
    curves = assemble_curves(ids, solved, p)
    return Valuation(
        curves.together,
        curves.alone,
        curves.leave_one_out,
        curves.coalitions,
        buyer_scores={s: scored.buyer for s, scored in found.items()},
        seller_scores={name: {s: found[s].sellers[name] for s in found} for name in ids},
        seller_weights=market.shares,
    )


def assemble_curves(
    contribution_ids: Sequence[str], solved: Iterable[SolvedSubproblem], p: Power = 2
) -> Curves:
    """Put the curves together, once all problems of `plan` are solved.

    Parameters
    ----------
    contribution_ids : sequence of str
        All sellers.
    solved : iterable of SolvedSubproblem
        In any order.
    p : {1, 2}
    """
    curves = coalition_curves(solved, p)
    several = len(contribution_ids) > 1
    together = curves[GRAND_COALITION]
    return Curves(
        together,
        {
            seller: curves[Coalition("singleton", seller)] if several else together
            for seller in contribution_ids
        },
        {
            seller: curves[Coalition("leave-one-out", seller)]
            for seller in contribution_ids
            if several
        },
        {
            coalition.members: curve
            for coalition, curve in curves.items()
            if coalition.kind == "coalition"
        },
    )


def coalition_curves(
    solved: Iterable[SolvedSubproblem], p: Power = 2
) -> dict[Coalition, DistanceCurve]:
    """The curve of every coalition that was solved at all s, in whatever order."""
    points: defaultdict[Coalition, dict[float, SolvedPoint]] = defaultdict(dict)
    displacements: dict[Coalition, float | None] = {}
    for each in solved:
        points[each.subproblem.coalition][each.subproblem.s] = each.point
        displacements[each.subproblem.coalition] = each.displacement
    return {
        coalition: curve_through(p, of_group, displacements[coalition])
        for coalition, of_group in points.items()
    }

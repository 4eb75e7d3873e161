"""Evaluate a market: curves of coalitions, and scores of points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from wassay.transport.costs.cost import Power
from wassay.transport.market.seller_costs import SellerCosts
from wassay.transport.market.subproblems import (
    GRAND_COALITION,
    SEVERAL,
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
    """The distance curves of coalitions of sellers.

    Attributes
    ----------
    grand_coalition : DistanceCurve
        Curve of all sellers together.
    singleton : dict of contribution id to DistanceCurve
        Curve of each contribution alone.
    leave_one_out : dict of contribution id to DistanceCurve
        By the contribution that is left out: the curve of all others, with rescaled weights.
        Curves that were not computed are missing.
    coalitions : dict of tuple of str to DistanceCurve
        Curves of further coalitions, by their members in ascending order.
    """

    grand_coalition: DistanceCurve
    singleton: dict[str, DistanceCurve]
    leave_one_out: dict[str, DistanceCurve]
    coalitions: dict[tuple[str, ...], DistanceCurve]


@dataclass(frozen=True, eq=False)
class Valuation(Curves):
    """The curves of coalitions, and the scores of all points in the grand coalition.

    Attributes
    ----------
    buyer_scores : dict of s to Scores
        Scores of the buyer's points.
    seller_scores : dict of contribution id to dict of s to Scores
        Scores of each seller's points.
    seller_weights : dict of contribution id to float
        Each seller's share in the measure of the grand coalition.
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
    """Solve the grand, singleton and leave-one-out coalitions at every s, and score all points.

    Parameters
    ----------
    buyer_weights, sellers, sweep, p, seller_weights
        See `Market`.
    coalitions : iterable of collection of str
        Further coalitions to solve, by their contribution ids.
    progress : callable
        Called with the numbers of solved and of all subproblems, also a few times a second during
        long solves. An exception that it raises ends the evaluation.

    Returns
    -------
    Valuation

    Raises
    ------
    TransportError
        If sellers, sweep, weights or costs do not match.
    NotCertified
        If a solution cannot be proven optimal.
    SolverMissing
        If the extra `solver` is not installed.
    """
    from wassay.transport.market.market import Market

    market = Market(buyer_weights, sellers, sweep, p=p, seller_weights=seller_weights)
    ids = list(market.shares)
    pending = subproblems(ids, market.sweep, coalitions)
    solved: list[SolvedSubproblem] = []
    scores_at: dict[float, PartyScores] = {}
    for one, scored in market.solve(pending, lambda: progress(len(solved), len(pending))):
        solved.append(one)
        if scored is not None:
            scores_at[one.subproblem.s] = scored
        progress(len(solved), len(pending))
    curves = assemble_curves(ids, solved, p)
    return Valuation(
        curves.grand_coalition,
        curves.singleton,
        curves.leave_one_out,
        curves.coalitions,
        buyer_scores={s: scored.buyer for s, scored in scores_at.items()},
        seller_scores={name: {s: scores_at[s].sellers[name] for s in scores_at} for name in ids},
        seller_weights=market.shares,
    )


def assemble_curves(
    contribution_ids: Sequence[str],
    solved: Iterable[SolvedSubproblem],
    p: Power = 2,
    *,
    leave_one_out: bool = True,
) -> Curves:
    """Assemble the curves of an evaluation from its solved subproblems.

    Parameters
    ----------
    contribution_ids : sequence of str
        All contributions.
    solved : iterable of SolvedSubproblem
        All subproblems of the evaluation, in any order.
    p : {1, 2}
    leave_one_out : bool
        For two contributions: whether to include each one's curve also as the leave-one-out curve
        of the other. No effect for three or more.

    Returns
    -------
    Curves
    """
    curves = coalition_curves(solved, p)
    has_others = len(contribution_ids) > 1
    grand_coalition = curves[GRAND_COALITION]
    singleton = {
        seller: curves[Coalition("singleton", seller)] if has_others else grand_coalition
        for seller in contribution_ids
    }
    without_one = {
        coalition.contribution_id: curve
        for coalition, curve in curves.items()
        if coalition.kind == "leave-one-out" and coalition.contribution_id is not None
    }
    if leave_one_out and has_others and len(contribution_ids) < SEVERAL:
        one, other = contribution_ids
        without_one = {one: singleton[other], other: singleton[one]}
    return Curves(
        grand_coalition,
        singleton,
        without_one,
        {
            coalition.members: curve
            for coalition, curve in curves.items()
            if coalition.kind == "coalition"
        },
    )


def coalition_curves(
    solved: Iterable[SolvedSubproblem], p: Power = 2
) -> dict[Coalition, DistanceCurve]:
    """Assemble the curve of every coalition among the solved subproblems.

    Parameters
    ----------
    solved : iterable of SolvedSubproblem
        In any order; each coalition must be solved at every s of the sweep.
    p : {1, 2}

    Returns
    -------
    dict of Coalition to DistanceCurve
    """
    points: defaultdict[Coalition, dict[float, SolvedPoint]] = defaultdict(dict)
    displacements: dict[Coalition, float | None] = {}
    for each in solved:
        points[each.subproblem.coalition][each.subproblem.s] = each.point
        displacements[each.subproblem.coalition] = each.displacement
    return {
        coalition: curve_through(p, by_s, displacements[coalition])
        for coalition, by_s in points.items()
    }

"""The transport problems of an evaluation, each of which any process may solve."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wassay.transport.errors import TransportError
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.sweeps.sweep import SolvedPoint


@dataclass(frozen=True)
class Coalition:
    """Who is compared in a subproblem, mostly some sellers together with the buyer.

    Attributes
    ----------
    kind : {'grand', 'singleton', 'leave-one-out', 'coalition', 'pair', 'resampling'}
        'grand' is all sellers. A 'coalition' is any sellers for whom no other kind fits. A 'pair'
        is two sellers, compared with each other. A 'resampling' is one seller: random parts of the
        seller's points are compared with random parts of the buyer's.
    contribution_id : str or None
        The contribution of a 'singleton' or a 'resampling', or the one that is left out. None for
        other kinds.
    members : tuple of str
        Contribution ids of a 'coalition' or a 'pair', ascending.
    """

    kind: Literal["grand", "singleton", "leave-one-out", "coalition", "pair", "resampling"]
    contribution_id: str | None = None
    members: tuple[str, ...] = ()

    def size(self, sizes: Mapping[str, int]) -> int:
        """Count the points of a coalition's sellers. Not to be called for pairs and resamplings.

        Parameters
        ----------
        sizes : mapping of contribution id to int
            Number of points of every contribution.

        Returns
        -------
        int
        """
        if self.kind == "coalition":
            return sum(sizes[member] for member in self.members)
        own = 0 if self.contribution_id is None else sizes[self.contribution_id]
        return own if self.kind == "singleton" else sum(sizes.values()) - own


GRAND_COALITION = Coalition("grand")
"""All sellers."""

SEVERAL = 3
"""From this number of sellers on, leave-one-out coalitions are coalitions of their own.

Of two sellers, leaving out one leaves a singleton.
"""


@dataclass(frozen=True)
class Subproblem:
    """One task for a `Coalition` at one s; a 'resampling' is at all s at once.

    Attributes
    ----------
    coalition : Coalition
    s : float
        The sweep parameter; the least one for a 'resampling'.
    """

    coalition: Coalition
    s: float


@dataclass(frozen=True)
class SolvedSubproblem:
    """A solved subproblem, reduced to numbers.

    Attributes
    ----------
    subproblem : Subproblem
    point : SolvedPoint
        The solution at the subproblem's s, as a point of a distance curve.
    displacement : float or None
        Weighted mean distance between the coalition's points and their images in the reference,
        used for p = 1. None if it is unknown.
    """

    subproblem: Subproblem
    point: SolvedPoint
    displacement: float | None


@dataclass(frozen=True, eq=False)
class PartyScores:
    """Scores of the buyer's and every seller's points at one s, in the grand coalition.

    Attributes
    ----------
    buyer : Scores
    sellers : dict of contribution id to Scores
    """

    buyer: Scores
    sellers: dict[str, Scores]


def require_members(members: Collection[str], contribution_ids: Collection[str]) -> None:
    """Raise if a coalition has no member, or a member that is not in `contribution_ids`.

    Parameters
    ----------
    members : collection of str
    contribution_ids : collection of str
        All contributions.

    Raises
    ------
    TransportError
        If there is no member, or a member is not in `contribution_ids`.
    """
    if not members:
        raise TransportError(
            f"a coalition needs at least one member; choose from {', '.join(contribution_ids)}"
        )
    unknown = sorted(set(members).difference(contribution_ids))
    if unknown:
        raise TransportError(
            f"unknown contributions {', '.join(map(repr, unknown))}; choose from "
            f"{', '.join(contribution_ids)}"
        )


def coalition_among(contribution_ids: Collection[str], members: Collection[str]) -> Coalition:
    """Return the coalition that consists of the given members.

    Parameters
    ----------
    contribution_ids : collection of str
        All contributions.
    members : collection of str
        At least one of the contributions.

    Returns
    -------
    Coalition
        Of the kind 'grand', 'singleton' or 'leave-one-out' if one fits, else 'coalition'.

    Raises
    ------
    TransportError
        If there is no member, or a member is not in `contribution_ids`.
    """
    require_members(members, contribution_ids)
    inside, everyone = set(members), set(contribution_ids)
    if inside == everyone:
        return GRAND_COALITION
    if len(inside) == 1:
        return Coalition("singleton", next(iter(inside)))
    if len(inside) == len(everyone) - 1:
        return Coalition("leave-one-out", next(iter(everyone - inside)))
    return Coalition("coalition", members=tuple(sorted(inside)))


def subproblems(
    contribution_ids: Sequence[str],
    sweep: Sequence[float],
    coalitions: Iterable[Collection[str]] = (),
    *,
    leave_one_out: bool = True,
) -> tuple[Subproblem, ...]:
    """List the subproblems of an evaluation, coalition by coalition, each once.

    Parameters
    ----------
    contribution_ids : sequence of str
    sweep : sequence of float
    coalitions : iterable of collection of str
        Further coalitions, by their members.
    leave_one_out : bool
        If false, only the leave-one-out coalitions among `coalitions` are listed.

    Returns
    -------
    tuple of Subproblem
        First those of the grand coalition. The leave-one-out coalitions follow if there are three
        or more contributions, the singletons if there are two or more, and then `coalitions`.

    Raises
    ------
    TransportError
        If a coalition has no member, or a member that is not in `contribution_ids`.
    """
    wanted = [GRAND_COALITION]
    if len(contribution_ids) > 1:
        if leave_one_out and len(contribution_ids) >= SEVERAL:
            # They follow the grand coalition, so that `Market.solve` solves all in one batch.
            wanted += [
                Coalition("leave-one-out", contribution_id) for contribution_id in contribution_ids
            ]
        wanted += [Coalition("singleton", contribution_id) for contribution_id in contribution_ids]
    wanted += [coalition_among(contribution_ids, members) for members in coalitions]
    return tuple(
        Subproblem(coalition, s) for coalition in dict.fromkeys(wanted) for s in sorted(set(sweep))
    )

"""The transport problems of an evaluation, one by one, so that each may be solved anywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wassay.transport.errors import TransportError
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.sweeps.sweep import SolvedPoint


@dataclass(frozen=True)
class Coalition:
    """Sellers taken as one measure: all of them together, one alone, all without one, or some.

    Attributes
    ----------
    kind : {'grand', 'singleton', 'leave-one-out', 'coalition', 'pair'}
        A pair are two sellers, compared with each other.
    contribution_id : str or None
        Who is alone or left out.
    members : tuple of str
        Who some are, or the pair, ascending.
    """

    kind: Literal["grand", "singleton", "leave-one-out", "coalition", "pair"]
    contribution_id: str | None = None
    members: tuple[str, ...] = ()

    def size(self, sizes: Mapping[str, int]) -> int:
        """Number of its points, from the number of every seller's."""
        if self.kind == "coalition":
            return sum(sizes[member] for member in self.members)
        own = 0 if self.contribution_id is None else sizes[self.contribution_id]
        return own if self.kind == "singleton" else sum(sizes.values()) - own


GRAND_COALITION = Coalition("grand")


@dataclass(frozen=True)
class Subproblem:
    """One problem: a coalition of sellers against the buyer, at one s."""

    coalition: Coalition
    s: float


@dataclass(frozen=True)
class SolvedSubproblem:
    """What came of a problem: numbers only.

    Attributes
    ----------
    subproblem : Subproblem
    point : SolvedPoint
        Of the coalition's curve.
    displacement : float or None
        Of the coalition; see `DistanceCurve`.
    """

    subproblem: Subproblem
    point: SolvedPoint
    displacement: float | None


@dataclass(frozen=True, eq=False)
class PartyScores:
    """Scores at one s, of the buyer's points and of every seller's, all sellers together."""

    buyer: Scores
    sellers: dict[str, Scores]


def coalition_among(contribution_ids: Collection[str], members: Collection[str]) -> Coalition:
    """The coalition that these members form among all sellers.

    Raises
    ------
    TransportError
        When there is no member, or one is no seller of these.
    """
    inside, everyone = set(members), set(contribution_ids)
    if not inside or not inside <= everyone:
        raise TransportError(
            f"a coalition names at least one of {', '.join(contribution_ids)}, got "
            f"{sorted(map(str, inside))}"
        )
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
) -> tuple[Subproblem, ...]:
    """The problems of an evaluation, those of one coalition after the other.

    Of one seller there is but one coalition; of several, each is also taken alone and left out, and
    the coalitions that are asked for are taken too.

    Raises
    ------
    TransportError
        When a coalition that is asked for has no member, or one that is no seller of these.
    """
    solved = [GRAND_COALITION]
    if len(contribution_ids) > 1:
        # Together and without are nearly the same problem, which neighbours are solved as.
        solved += [
            Coalition("leave-one-out", contribution_id) for contribution_id in contribution_ids
        ]
        solved += [Coalition("singleton", contribution_id) for contribution_id in contribution_ids]
    solved += [coalition_among(contribution_ids, members) for members in coalitions]
    return tuple(
        Subproblem(coalition, s) for coalition in dict.fromkeys(solved) for s in sorted(set(sweep))
    )

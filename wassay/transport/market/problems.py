"""The transport problems of an evaluation, one by one, so that each may be solved anywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wassay.transport.errors import TransportError
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.sweeps.sweep import SolvedPoint


@dataclass(frozen=True)
class Group:
    """Sellers taken as one measure: all of them together, one alone, all without one, or some.

    Attributes
    ----------
    kind : {'together', 'alone', 'without', 'some', 'pair'}
        A pair are two sellers, compared with each other.
    seller_id : str or None
        Who is alone or left out.
    members : tuple of str
        Who some are, or the pair, ascending.
    """

    kind: Literal["together", "alone", "without", "some", "pair"]
    seller_id: str | None = None
    members: tuple[str, ...] = ()

    def size(self, sizes: Mapping[str, int]) -> int:
        """Number of its points, from the number of every seller's."""
        if self.kind == "some":
            return sum(sizes[member] for member in self.members)
        own = 0 if self.seller_id is None else sizes[self.seller_id]
        return own if self.kind == "alone" else sum(sizes.values()) - own


TOGETHER = Group("together")


@dataclass(frozen=True)
class Solve:
    """One problem: a group of sellers against the buyer, at one s."""

    group: Group
    s: float


@dataclass(frozen=True)
class Solved:
    """What came of a problem: numbers only.

    Attributes
    ----------
    solve : Solve
    point : SolvedPoint
        Of the group's curve.
    displacement : float or None
        Of the group; see `DistanceCurve`.
    """

    solve: Solve
    point: SolvedPoint
    displacement: float | None


@dataclass(frozen=True, eq=False)
class PartyScores:
    """Scores at one s, of the buyer's points and of every seller's, all sellers together."""

    buyer: Scores
    sellers: dict[str, Scores]


def group_of(seller_ids: Collection[str], members: Collection[str]) -> Group:
    """The group that these members form among all sellers.

    Raises
    ------
    TransportError
        When there is no member, or one is no seller of these.
    """
    inside, everyone = set(members), set(seller_ids)
    if not inside or not inside <= everyone:
        raise TransportError(
            f"a group names at least one of {', '.join(seller_ids)}, got {sorted(map(str, inside))}"
        )
    if inside == everyone:
        return TOGETHER
    if len(inside) == 1:
        return Group("alone", next(iter(inside)))
    if len(inside) == len(everyone) - 1:
        return Group("without", next(iter(everyone - inside)))
    return Group("some", members=tuple(sorted(inside)))


def plan(
    seller_ids: Sequence[str], sweep: Sequence[float], groups: Iterable[Collection[str]] = ()
) -> tuple[Solve, ...]:
    """The problems of an evaluation, those of one group after the other.

    Of one seller there is but one group; of several, each is also taken alone and left out, and
    the groups that are asked for are taken too.

    Raises
    ------
    TransportError
        When a group that is asked for has no member, or one that is no seller of these.
    """
    solved = [TOGETHER]
    if len(seller_ids) > 1:
        # Together and without are nearly the same problem, which neighbours are solved as.
        solved += [Group("without", seller_id) for seller_id in seller_ids]
        solved += [Group("alone", seller_id) for seller_id in seller_ids]
    solved += [group_of(seller_ids, members) for members in groups]
    return tuple(Solve(group, s) for group in dict.fromkeys(solved) for s in sorted(set(sweep)))

"""FedWad (Rakotomamonjy et al. 2024): two parties estimate their W_2 in rounds of messages.

Use it only for comparison with TriangleWad: every message reveals a party's records.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from wassay.table import change, fixed, table
from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.projection import interpolate
from wassay.transport.pushing.reference import Normal, Reference

HALF = 0.5
"""The share of the way that points move in every interpolation."""


@dataclass(frozen=True, eq=False)
class FedWadShare:
    """The message that a party sends to the other in a round.

    Attributes
    ----------
    measure : Measure
        η: each of the party's records, moved half-way towards ξ. ξ is a measure that both parties
        have: that of the start or, later, the one that they computed in the round before.
    length : float
        W_2(records, η) + W_2(η, ξ).
    """

    measure: Measure
    length: float


@dataclass(frozen=True, eq=False)
class FedWadParty:
    """One party of FedWad, which knows only its own records and ξ.

    Parameters
    ----------
    records : Measure
        The raw records.
    """

    records: Measure = field(repr=False)

    def share(self, xi: Measure) -> FedWadShare:
        """Compute the message to the other party in a round.

        Parameters
        ----------
        xi : Measure
            ξ at the beginning of the round. In the first round, both parties draw it from one seed.

        Returns
        -------
        FedWadShare

        Raises
        ------
        TransportError
            If ξ has another dimension.
        NotCertified
            If a plan cannot be certified.
        SolverMissing
            If the extra `solver` is not installed.
        """
        from wassay.transport.solvers.wasserstein import wasserstein

        pushed = interpolate(self.records, xi, HALF)
        path = (self.records, pushed, xi)
        return FedWadShare(pushed, sum(wasserstein(*step).value for step in pairwise(path)))


def next_xi(first: FedWadShare, second: FedWadShare) -> Measure:
    """Compute the next ξ from both parties' messages.

    Each party computes it itself, with the same result.

    Parameters
    ----------
    first, second : FedWadShare
        The messages, in the same order for both parties.

    Returns
    -------
    Measure
        The points of the message with more points, each moved half-way towards its image in the
        other message. If both have the same number of points, the points of `second` move.
    """
    smaller, larger = sorted((first.measure, second.measure), key=lambda each: each.size)
    return interpolate(larger, smaller, HALF)


@dataclass(frozen=True, eq=False)
class FedWadRound:
    """One round of FedWad.

    Attributes
    ----------
    start : Measure
        The ξ with which the round began.
    first, second : FedWadShare
        The messages of the two parties.
    xi : Measure
        The ξ that both parties compute at the end of the round.
    """

    start: Measure
    first: FedWadShare
    second: FedWadShare
    xi: Measure

    @property
    def distance(self) -> float:
        """The estimate after this round, an upper bound of W_2 (TriangleWad paper, eq. 6)."""
        return self.first.length + self.second.length

    @property
    def numbers_sent(self) -> int:
        """Number of coordinates and lengths that the two parties sent in this round."""
        return sum(share.measure.points.size + 1 for share in (self.first, self.second))


@dataclass(frozen=True, eq=False)
class FedWad:
    """A run of FedWad; `str()` returns a table with a line for each round.

    Attributes
    ----------
    rounds : tuple of FedWadRound
    """

    rounds: tuple[FedWadRound, ...]

    @property
    def distance(self) -> float:
        """The estimate of W_2 after the last round."""
        return self.rounds[-1].distance

    @property
    def xi(self) -> Measure:
        """ξ after the last round, which both parties have."""
        return self.rounds[-1].xi

    def __str__(self) -> str:
        rows, sent, last = [], 0, self.rounds[0].distance
        for number, each in enumerate(self.rounds, start=1):
            sent += each.numbers_sent
            moved = change(each.distance - last) if number > 1 else ""
            rows.append((str(number), fixed(each.distance), moved, f"{sent:,}"))
            last = each.distance
        return table(("round", "W2 estimate", "change", "numbers sent"), rows)


def fedwad(
    first: Measure, second: Measure, *, rounds: int = 30, xi: Measure | None = None
) -> FedWad:
    """Run FedWad between two parties in this process.

    Parameters
    ----------
    first, second : Measure
        The records of the two parties.
    rounds : int
        Number of rounds, at least 1.
    xi : Measure, optional
        ξ before the first round. By default, points drawn from N(0, 1) with seed 0: one for each
        record of the larger party.

    Returns
    -------
    FedWad

    Raises
    ------
    TransportError
        If there is no round, or the measures differ in dimension.
    NotCertified
        If a plan cannot be certified.
    SolverMissing
        If the extra `solver` is not installed.

    Examples
    --------
    >>> print(fedwad(Measure([[0.0], [1.0]]), Measure([[2.0], [4.0]]), rounds=2))
    """
    if rounds < 1:
        raise TransportError(f"expected at least one round, received {rounds}")
    if xi is None:
        size = max(first.size, second.size)
        xi = Reference(size, first.dimension, Normal(), seed=0).measure()
    one, other = FedWadParty(first), FedWadParty(second)
    done: list[FedWadRound] = []
    for _ in range(rounds):
        shares = one.share(xi), other.share(xi)
        done.append(FedWadRound(xi, *shares, next_xi(*shares)))
        xi = done[-1].xi
    return FedWad(tuple(done))

"""The interface of an attack: its target, and its result (`AttackResult`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wassay.audit.messages import BuyerMeasure, SellerCostBlocks, SellerMeasures, Sent
from wassay.disclosure_class import DisclosureClass
from wassay.models import DEFAULT_QUESTIONS
from wassay.transport import Measure, Reference
from wassay.transport.inversion import Reconstruction, redraws, trilaterate

RigidMotion = Callable[[Measure], Measure]
"""A map that moves the points of a measure, and keeps their order and all their distances."""

_PAIRS, _FEWEST_SOLVES, _MOST_SOLVES = 100_000_000, 5, 2_000


class Knowledge(Enum):
    """Something that a receiver holds or is shown, such as the pushed points."""

    PUSHED_POINTS = auto()
    """The pushed points, either sent or located by cost blocks."""
    COST_BLOCKS = auto()
    """Cost blocks, and the buyer's pushed points. Column j belongs to the buyer's point j."""
    PUSH = auto()
    """The s of each array. The t0 of a buyer's measure is sent to nobody."""
    TWO_PUSHES = auto()
    """Arrays at two or more values of s."""
    THREE_PUSHES = auto()
    """Arrays at three or more values of s."""
    REFERENCE = auto()
    """γ, and the isometry of a sealed request."""
    SCALARS = auto()
    """The costs and lines of a curve, which mode `scalar` sends."""
    DISTANCES = auto()
    """Exact distances between the sender's measure and the buyer's."""
    NOISED_DISTANCES = auto()
    """Distances between the sender's measure and the buyer's, with noise."""
    RANKS = auto()
    """Ranks of the scores of the sender's points."""
    SCORES = auto()
    """Exact scores of the sender's points."""
    OWN_NOISIEST = auto()
    """Which of the receiver's own points are the noisiest."""
    HALF_WAY = auto()
    """FedWad's message η and the ξ before the round; η lies half-way to this ξ (t = ½)."""
    MIDPOINT = auto()
    """FedWad's ξ after a round, with t = ½, and the receiver's own records."""
    OWN_SCORES = auto()
    """Exact scores of the receiver's own points, which the request shows to every seller."""


@dataclass(frozen=True, eq=False)
class Secrets:
    """The secrets of buyer and sellers, which a sealed request hides from the service.

    Attributes
    ----------
    reference : Reference
        The parameters of γ.
    isometry : callable
        The map that moves the points before they are sent; the identity for an open reference.
    """

    reference: Reference
    isometry: RigidMotion

    @cached_property
    def measure(self) -> Measure:
        """The reference γ, moved by the isometry."""
        return self.isometry(self.reference.measure())

    @property
    def is_one_point(self) -> bool:
        """Whether all points of γ coincide."""
        return not np.ptp(self.measure.points, axis=0).any()

    def redraws(self) -> list[Measure]:
        """Draw other references from γ's distribution, and move them by the isometry."""
        return [self.isometry(other) for other in redraws(self.reference)]


@dataclass(frozen=True, eq=False)
class Target:
    """A message, and the knowledge of the receiver who attacks it.

    Attributes
    ----------
    sent : Sent
        The message, restricted to the records that are attacked.
    knowledge : frozenset of Knowledge
    size, dimension : int
        The number of all records, and the number of coordinates of each.
    weights : ndarray, shape (n,)
        Weights of the records that are attacked.
    secrets : Secrets
        All of them are for attacks that need `Knowledge.REFERENCE`. Other attacks use only what is
        published, or what the receiver can compute.
    known : ndarray of int, shape (k,)
        The records that the receiver is assumed to know: their rows in the message. Empty for
        attacks on columns.
    known_records : ndarray, shape (k, d)
        The known records, moved by the isometry.
    epsilon : float or None
        The ε of the noise in the seller's distances; None without noise.
    questions : int or None
        How many distances the seller's caps allow one organisation; None for any number.
    """

    sent: Sent
    knowledge: frozenset[Knowledge]
    size: int
    dimension: int
    weights: NDArray[np.float64]
    secrets: Secrets
    known: NDArray[np.intp]
    known_records: NDArray[np.float64]
    epsilon: float | None = None
    questions: int | None = DEFAULT_QUESTIONS

    @property
    def most(self) -> DisclosureClass:
        """The most that the receiver can learn: `EXACT` with γ, otherwise `UP_TO_ISOMETRY`."""
        if Knowledge.REFERENCE in self.knowledge:
            return DisclosureClass.EXACT
        return DisclosureClass.UP_TO_ISOMETRY

    @cached_property
    def pushed(self) -> dict[float | None, Reconstruction]:
        """The seller's pushed points for each s; for None, the buyer's, pushed by t0.

        Empty if the message has no pushed points.
        """
        sent = self.sent
        if isinstance(sent, BuyerMeasure):
            return {None: _as_sent(sent.measure)}
        if isinstance(sent, SellerMeasures):
            return {s: _as_sent(measure) for s, measure in sent.measures.items()}
        if isinstance(sent, SellerCostBlocks):
            return {
                s: trilaterate(block ** (2 / sent.order), sent.buyer.points, sent.classes)
                for s, block in sent.blocks.items()
            }
        return {}

    @property
    def pushes(self) -> list[float]:
        """The values of s that the receiver knows, ascending; empty for a buyer's message."""
        return sorted(s for s in self.pushed if s is not None)

    @property
    def located(self) -> bool:
        """Whether the receiver has pushed points, with all their coordinates."""
        return bool(self.pushed) and all(found.complete for found in self.pushed.values())

    def measure_at(self, s: float | None) -> Measure:
        """Return the pushed points at s, with the records' weights; None stands for t0."""
        return Measure(self.pushed[s].points, self.weights)

    @property
    def max_solves(self) -> int:
        """How many transport problems an attack may solve; fewer if there are many points."""
        # This bounds the time of an audit. A real attacker has more time.
        solves = _PAIRS // (len(self.weights) * self.secrets.measure.size)
        return min(max(solves, _FEWEST_SOLVES), _MOST_SOLVES)


@dataclass(frozen=True, eq=False)
class AttackResult:
    """The result of an attack.

    Attributes
    ----------
    disclosure_class : DisclosureClass
        What the attack reveals to a receiver who knows the isometry.
    explanation : str
        The attack in a few words.
    reconstruction : Reconstruction or None
        The records that the attack computes; None if it only states what it reveals.
    pushed : bool
        Whether the reconstructed points are still pushed towards the reference.
    rank : int or None
        The number of directions along which the receiver reads the records; None if the attack does
        not state one.
    """

    disclosure_class: DisclosureClass
    explanation: str
    reconstruction: Reconstruction | None = None
    pushed: bool = False
    rank: int | None = None

    @classmethod
    def of(
        cls,
        reconstruction: Reconstruction,
        *,
        method: str = "",
        reaches: DisclosureClass = DisclosureClass.EXACT,
        pushed: bool = False,
    ) -> AttackResult:
        """Build the result of an attack that computed a reconstruction.

        Parameters
        ----------
        reconstruction : Reconstruction
        method : str
            The attack in a few words; the reconstruction's `method` by default.
        reaches : DisclosureClass
            The class if the reconstruction is complete. Otherwise the class is `PROJECTION`.
        pushed : bool
            Whether the reconstructed points are still pushed towards the reference.
        """
        reached = reaches if reconstruction.complete else DisclosureClass.PROJECTION
        return cls(reached, method or reconstruction.method, reconstruction, pushed)


@dataclass(frozen=True)
class Attack:
    """A way to compute a sender's records from a message.

    Attributes
    ----------
    name : str
    needs : frozenset of Knowledge
        What a receiver must know to run the attack.
    reaches : DisclosureClass
        The most that the attack reveals.
    run : callable
        Takes a `Target`; returns an `AttackResult`, or None if the attack does not apply.
    """

    name: str
    needs: frozenset[Knowledge]
    reaches: DisclosureClass
    run: Callable[[Target], AttackResult | None]


def _as_sent(measure: Measure) -> Reconstruction:
    return Reconstruction(
        points=measure.points,
        method="the points as sent",
        residual=0.0,
        rank=measure.dimension,
        span_distances=np.zeros(measure.size),
        solves=0,
        queries=1,
    )

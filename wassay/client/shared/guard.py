"""The guard: audits what is about to leave, and keeps it here where it would tell too much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.audit import (
    Audit,
    BuyerMeasure,
    Movement,
    OwnScores,
    SellerCostBlocks,
    SellerMeasures,
    SellerScalars,
    Sent,
    audit,
)
from wassay.client.errors import DisclosureError, InvalidArgumentError
from wassay.client.seller.costs import Costs
from wassay.client.shared.reference import OpenReference, SharedReference
from wassay.disclosure_class import DisclosureClass
from wassay.models import Mode, Request, ScorePolicy
from wassay.transport import BarycentricProjection, Measure

AUDITED_RECORDS = 256
"""Records that are attacked, drawn at random: the guard may take seconds, whatever is sent."""

DEFAULT_LIMIT = DisclosureClass.UP_TO_ISOMETRY


@dataclass(frozen=True)
class Guard:
    """Lets pass what tells every receiver no more than a limit.

    Attributes
    ----------
    limit : DisclosureClass
    on_audit : callable, optional
        Is given every audit that is within the limit; what it raises stops the sending.
    """

    limit: DisclosureClass
    on_audit: Callable[[Audit], None] | None = None

    def pass_request(
        self,
        projection: BarycentricProjection,
        t0: float,
        shared: SharedReference,
        *,
        shown_to_sellers: bool,
        own_scores: OwnScores,
    ) -> None:
        """Let a buyer's pushed measure pass; `own_scores` as of `wassay.audit.BuyerMeasure`.

        Raises
        ------
        DisclosureError
        """
        if self._is_off:
            return
        # Inverting the push towards several points takes all records; towards one, any of them.
        one_place = not np.ptp(shared.reference.measure().points, axis=0).any()
        most = AUDITED_RECORDS if one_place else projection.measure.size
        sample = projection.only(_sampled(projection.measure, most))
        pushed = shared.conceal(sample.interpolate(t0))
        sent = BuyerMeasure(pushed, shown_to_sellers, own_scores, t0)
        isometry = _isometry(shared)
        self._judge(audit(sample.measure, sent, shared.reference, isometry=isometry))

    def pass_answer(self, answer: Answer, shared: SharedReference) -> None:
        """Let a seller's answer pass.

        Raises
        ------
        DisclosureError
        """
        if not self._is_off:
            self._judge(answer.audit(shared))

    @property
    def _is_off(self) -> bool:
        """Nothing goes beyond such a limit, and nobody wants to see it."""
        return self.limit is DisclosureClass.EXACT and self.on_audit is None

    def _judge(self, found: Audit) -> None:
        if found.beyond(self.limit):
            raise DisclosureError(found, self.limit)
        if self.on_audit is not None:
            self.on_audit(found)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a seller is about to send.

    Attributes
    ----------
    projection : BarycentricProjection
        Of all records.
    request : wassay.models.Request
    mode : {'measure', 'cost-block', 'scalar'}
    costs : Costs or None
        Of the modes that compute with the buyer's measure.
    scores : {'none', 'ranks', 'scores'}
        What the buyer gets to see.
    """

    projection: BarycentricProjection
    request: Request
    mode: Mode
    costs: Costs | None
    scores: ScorePolicy

    def audit(self, shared: SharedReference) -> Audit:
        """Attack some of it as every receiver could."""
        rows = _sampled(self.projection.measure, AUDITED_RECORDS)
        sample, sweep, costs = self.projection.only(rows), self.request.sweep, self.costs
        sent: Sent
        if self.mode == "scalar":
            sent = SellerScalars(sample.measure.size)
        elif costs is None:
            sent = SellerMeasures({s: shared.conceal(sample.interpolate(s)) for s in sweep})
        else:
            blocks = {s: costs.block(s, rows) for s in sweep}
            sent = SellerCostBlocks(blocks, costs.buyer, costs.order, costs.classes)
        return audit(
            sample.measure,
            sent,
            shared.reference,
            isometry=_isometry(shared),
            scores=self.scores,
            reveals_scores=self.request.reveals_scores,
            epsilon=self.request.epsilon,
        )


def _isometry(shared: SharedReference) -> Movement | None:
    return None if isinstance(shared, OpenReference) else shared.conceal


def disclosure_limit(name: DisclosureClass | str) -> DisclosureClass:
    """Read the name of a class.

    Raises
    ------
    InvalidArgumentError
        When there is none of that name.
    """
    try:
        return DisclosureClass(name)
    except ValueError:
        names = ", ".join(each.value for each in DisclosureClass)
        raise InvalidArgumentError(f"max_disclosure is one of {names}, received {name!r}") from None


def _sampled(measure: Measure, most: int) -> NDArray[np.intp]:
    """Rows of some records with mass, drawn at random."""
    massive: NDArray[np.intp] = np.flatnonzero(measure.weights)
    return np.sort(np.random.default_rng(0).permutation(massive)[:most])

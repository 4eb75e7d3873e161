"""Audit an upload before it is sent, and stop an upload that would disclose too much."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wassay.audit import (
    AUDITED_RECORDS,
    COLUMN_RECORDS,
    Audit,
    BuyerMeasure,
    Exposure,
    OwnScores,
    RigidMotion,
    audit,
    sampled_rows,
)
from wassay.audit.facts import Fact
from wassay.client.connection.flows import Flow, Freeze
from wassay.client.errors import DisclosureError, ReadableColumnsWarning, how_to_hide
from wassay.client.seller.computed_costs import Costs
from wassay.client.seller.modes.mode import SweptPoints
from wassay.client.seller.modes.registry import seller_mode
from wassay.client.shared.label_exposures import (
    exposed_classes,
    labels_scored_for_buyer,
    labels_scored_for_sellers,
)
from wassay.client.shared.shared_reference import OpenReference, SharedReference
from wassay.client.shared.table_facts import TableFacts
from wassay.disclosure_class import DisclosureClass
from wassay.errors import InvalidArgumentError
from wassay.models import DEFAULT_QUESTIONS, Mode, Request, ScorePolicy
from wassay.recipes import Recipe
from wassay.reference_key import ReferenceKey
from wassay.transport import BarycentricProjection, Measure, RandomProjection

_AUDITED_COSTS = 16_000_000
"""The largest number of entries of a cost matrix to compute for an audit at each s."""

DEFAULT_LIMIT = DisclosureClass.UP_TO_ISOMETRY


@dataclass(frozen=True)
class DisclosureCheck:
    """Audits uploads, and raises if a receiver could compute more than the limit allows.

    Attributes
    ----------
    limit : DisclosureClass
        The most that a receiver may compute.
    on_audit : callable, optional
        Called with every audit that does not stop the upload. If `on_audit` raises, nothing is
        uploaded.
    warns_of_columns : bool
        Whether to warn, instead of raising, if a receiver could read columns of the table.
    """

    limit: DisclosureClass
    on_audit: Callable[[Audit], None] | None = None
    warns_of_columns: bool = False

    def audit_request(
        self,
        raw: Measure,
        projection: BarycentricProjection,
        t0: float,
        shared: SharedReference,
        *,
        shown_to_sellers: bool,
        own_scores: OwnScores,
        recipe: Recipe | None = None,
        scored_classes: int | None = None,
        keeps_order: bool = False,
        facts: TableFacts | None = None,
    ) -> Audit | None:
        """Audit what a request sends: the pushed measure, the recipe for sellers, and the classes.

        Parameters
        ----------
        raw : Measure
            The buyer's raw points.
        projection : BarycentricProjection
            The points that are pushed, raw or projected at random, and their images on the
            reference γ.
        t0 : float
        shared : SharedReference
        shown_to_sellers : bool
            Whether sellers may download the pushed measure.
        own_scores : OwnScores
            What sellers see of the scores of their own points.
        recipe : Recipe, optional
            The recipe that is sealed to sellers.
        scored_classes : int, optional
            The number of classes; None if labels are not scored.
        keeps_order : bool
            Whether points are in the order of the rows of the buyer's table.
        facts : TableFacts, optional
            Facts of the buyer's table about the points, such as columns' values.

        Returns
        -------
        Audit or None
            None if no audit is needed, because the limit is ``exact`` and there is no `on_audit`.

        Raises
        ------
        DisclosureError
            If a receiver could compute more than the limit allows.
        """
        if self._is_unlimited:
            return None
        # Attack a sample of the records if γ has one point. To attack a push towards several
        # points, all records are needed.
        has_one_location = not np.ptp(shared.reference.measure().points, axis=0).any()
        most = COLUMN_RECORDS if has_one_location else projection.measure.size
        rows = sampled_rows(projection.measure, most)
        sample = projection.only(rows)
        pushed = shared.conceal(sample.interpolate(t0))
        sent = BuyerMeasure(pushed, shown_to_sellers, own_scores, t0, keeps_order)
        audited = audit(
            Measure(projection.raw(raw.points).points[rows], sample.measure.weights),
            sent,
            shared.reference,
            isometry=_isometry(shared),
            projection=_reduction(shared),
            facts=_facts_at(facts, projection, rows),
        )
        if recipe is not None:
            audited = replace(audited, exposures=(*audited.exposures, _recipe_exposure(recipe)))
        if scored_classes is not None:
            sealed = _isometry(shared) is not None
            of_labels = exposed_classes(scored_classes, sealed=sealed), labels_scored_for_sellers()
            audited = replace(audited, exposures=(*audited.exposures, *of_labels))
        return self._require_within_limit(audited, recipe)

    def audit_contribution(
        self,
        contribution: PreparedContribution,
        shared: SharedReference,
        recipe: Recipe | None = None,
    ) -> Audit | None:
        """Audit a seller's contribution.

        Parameters
        ----------
        contribution : PreparedContribution
        shared : SharedReference
        recipe : Recipe, optional
            The recipe that made the points, if any.

        Returns
        -------
        Audit or None
            None if no audit is needed, because the limit is ``exact`` and there is no `on_audit`.

        Raises
        ------
        DisclosureError
            If a receiver could compute more than the limit allows.
        """
        if self._is_unlimited:
            return None
        return self._require_within_limit(contribution.audit(shared), recipe)

    def tell(self, audited: Audit | None) -> Flow[None]:
        """Call `on_audit` with an audit; do nothing if there is no audit or no `on_audit`.

        The progress bar is stopped first, because the callback may ask the user.
        """
        if audited is not None and self.on_audit is not None:
            yield Freeze()
            self.on_audit(audited)

    @property
    def _is_unlimited(self) -> bool:
        """Whether no audit is needed, because everything is allowed and there is no callback."""
        return self.limit is DisclosureClass.EXACT and self.on_audit is None

    def _require_within_limit(self, audited: Audit, recipe: Recipe | None) -> Audit:
        fields = [] if recipe is None else recipe.fields_of(audited.read_columns)
        if audited.beyond(self.limit, columns=not self.warns_of_columns):
            raise DisclosureError(audited, self.limit, fields)
        if audited.beyond(self.limit):
            warnings.warn(
                f"the service can read {audited.readable_columns} of what is sent, without knowing "
                f"any record. To {how_to_hide(audited, fields)}. To refuse such "
                f"uploads, pass max_disclosure={self.limit.value!r}; to accept them, 'exact'.",
                ReadableColumnsWarning,
                stacklevel=2,
            )
        return audited


@dataclass(frozen=True, eq=False)
class PreparedContribution:
    """A seller's contribution before its upload.

    Attributes
    ----------
    raw : Measure
        The raw records.
    projection : BarycentricProjection
        The points that are pushed, raw or projected at random, and their images on the reference γ.
    request : wassay.models.Request
        The request that the contribution answers.
    mode : str
        The mode of the contribution.
    costs : Costs or None
        The costs to the buyer's points; None in mode ``'measure'``, which does not compute them.
    scores : {'none', 'ranks', 'scores'}
        The most that the buyer may see of the points' scores.
    questions : int or None
        How many distances the seller's caps allow one organisation; None for any number.
    scored_classes : int or None
        The number of classes of the points; None if labels are not scored.
    keeps_order : bool
        Whether points are in the order of the rows of the seller's table.
    facts : TableFacts or None
        Facts of the seller's table about the points, such as columns' values.
    """

    raw: Measure
    projection: BarycentricProjection
    request: Request
    mode: Mode
    costs: Costs | None
    scores: ScorePolicy
    questions: int | None = DEFAULT_QUESTIONS
    scored_classes: int | None = None
    keeps_order: bool = False
    facts: TableFacts | None = None

    def audit(self, shared: SharedReference) -> Audit:
        """Attack a sample of the records as each receiver could, and return the results."""
        most = COLUMN_RECORDS
        if self.costs is not None:
            most = min(most, max(AUDITED_RECORDS, _AUDITED_COSTS // self.costs.buyer.size))
        rows = sampled_rows(self.projection.measure, most)
        sample = self.projection.only(rows)
        swept = SweptPoints(
            sample,
            shared,
            self.request.sweep,
            self.costs,
            rows,
            keeps_order=self.keeps_order,
        )
        audited = audit(
            Measure(self.projection.raw(self.raw.points).points[rows], sample.measure.weights),
            seller_mode(self.mode).sent(swept),
            shared.reference,
            isometry=_isometry(shared),
            projection=_reduction(shared),
            scores=self.scores,
            reveals_scores=self.request.reveals_scores,
            epsilon=self.request.epsilon,
            questions=self.questions,
            facts=_facts_at(self.facts, self.projection, rows),
        )
        if self.scored_classes is None:
            return audited
        classes = exposed_classes(self.scored_classes, sealed=_isometry(shared) is not None)
        of_labels = classes, *labels_scored_for_buyer(self.scores)
        return replace(audited, exposures=(*audited.exposures, *of_labels))


def _recipe_exposure(recipe: Recipe) -> Exposure:
    return Exposure(
        "each invited seller, by the recipe",
        DisclosureClass.SCALARS,
        f"the recipe, sealed with the key, tells of the records: {recipe.disclosed}",
    )


def _facts_at(
    facts: TableFacts | None, projection: BarycentricProjection, rows: NDArray[np.intp]
) -> tuple[Fact, ...]:
    """Return the table's facts about some points of a projection; empty if `facts` is None.

    `rows` has the indices of the points in the projection.
    """
    if facts is None:
        return ()
    # An exact interpolation splits points into parts; `rows` then has the indices of parts.
    return facts.at(rows if projection.original_rows is None else projection.original_rows[rows])


def _reduction(shared: SharedReference) -> RandomProjection | None:
    return shared.projection if isinstance(shared, ReferenceKey) else None


def _isometry(shared: SharedReference) -> RigidMotion | None:
    return None if isinstance(shared, OpenReference) else shared.conceal


def disclosure_limit(name: DisclosureClass | str) -> DisclosureClass:
    """Return the disclosure class with the given name.

    Raises
    ------
    InvalidArgumentError
        If no class has the name.
    """
    try:
        return DisclosureClass(name)
    except ValueError:
        names = ", ".join(each.value for each in DisclosureClass)
        raise InvalidArgumentError(
            f"expected max_disclosure to be one of {names}, received {name!r}"
        ) from None

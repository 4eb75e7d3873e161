"""Prepare a contribution without the buyer's key and measure, so that it can be audited."""

import secrets

import numpy as np
from numpy.typing import ArrayLike

from wassay.audit import AUDITED_RECORDS
from wassay.client.seller.computed_costs import costs_to
from wassay.client.shared.class_codes import scored_codes
from wassay.client.shared.disclosure_check import PreparedContribution
from wassay.client.shared.shared_reference import SEED_BITS, SharedReference, open_reference
from wassay.client.shared.table_facts import TableFacts
from wassay.distributions import from_wire
from wassay.models import DEFAULT_QUESTIONS, Mode, Reference, Request, ScorePolicy
from wassay.modes import MODES
from wassay.reference_key import ReferenceKey
from wassay.transport import Measure, RandomProjection, project, scale_hiding
from wassay.transport import Reference as DerivedReference
from wassay.transport.data.labels import class_indices


def dry_run(
    request: Request,
    published: Reference,
    measure: Measure,
    labels: ArrayLike | None,
    mode: Mode,
    scores: ScorePolicy,
    questions: int | None = DEFAULT_QUESTIONS,
    *,
    keeps_order: bool = False,
    facts: TableFacts | None = None,
) -> tuple[PreparedContribution, SharedReference]:
    """Prepare a contribution with a random key and a random measure in place of the buyer's.

    An audit finds the same disclosure classes as with the buyer's key and measure.

    Parameters
    ----------
    request : wassay.models.Request
    published : wassay.models.Reference
        What the service shows of the request's reference.
    measure : Measure
        The seller's raw points.
    labels : array_like, shape (n,), or None
        The class of each point.
    mode : str
    scores, questions, keeps_order, facts
        See `PreparedContribution`.

    Returns
    -------
    contribution : PreparedContribution
        The contribution, prepared with `shared` and the random measure.
    shared : SharedReference
        The published reference if it is open, otherwise the random key.

    Raises
    ------
    SealingError
        If the reference is open and has no seed.
    """
    shared = (
        open_reference(published)
        if published.disclosure == "open"
        else _drawn_key(published, measure)
    )
    reduced = shared.reduce(measure)
    projection = project(reduced, shared.reference.measure(), request.interpolation)
    costs = None
    if MODES[mode].reveals_measure and request.measure is not None:
        buyer_measure = shared.conceal(_drawn_measure(request.measure.rows, reduced))
        if labels is not None:
            count = len(request.class_names or class_indices(labels)[0])
            classes = np.arange(buyer_measure.size) % count
            buyer_measure = Measure(np.column_stack([buyer_measure.points, classes]))
        costs = costs_to(buyer_measure, projection, shared, labels, request)
        projection = costs.projection
    codes = scored_codes(labels, mode, shared)
    contribution = PreparedContribution(
        measure,
        projection,
        request,
        mode,
        costs,
        scores,
        questions,
        None if codes is None else len(np.unique(codes)),
        keeps_order,
        facts,
    )
    return contribution, shared


def _drawn_measure(rows: int, measure: Measure) -> Measure:
    """Draw normal points in place of the buyer's, with the mean and scale of `measure`.

    `rows` points are drawn, but at most `AUDITED_RECORDS`.
    """
    spread = measure.points.std(axis=0) + np.finfo(float).tiny
    size = (min(rows, AUDITED_RECORDS), measure.dimension)
    return Measure(np.random.default_rng(0).normal(measure.mean, spread, size))


def _drawn_key(published: Reference, measure: Measure) -> ReferenceKey:
    reduction = None
    if published.projected_from is not None:
        reduction = RandomProjection.draw(published.projected_from, published.dimension)
        measure = reduction.apply(measure)
    return ReferenceKey.draw(_drawn_reference(published), scale_hiding(measure), reduction)


def _drawn_reference(published: Reference) -> DerivedReference:
    return DerivedReference(
        size=published.size,
        dimension=published.dimension,
        distribution=from_wire(published.distribution),
        seed=secrets.randbits(SEED_BITS),
        derivation=published.derivation,
    )

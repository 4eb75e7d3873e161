"""The self-audit of an answer that is not sent: what is not here yet is drawn in its place."""

import secrets

import numpy as np
from numpy.typing import ArrayLike

from wassay.client.seller.costs import costs_to
from wassay.client.shared.disclosure_check import AUDITED_RECORDS, PreparedContribution
from wassay.client.shared.reference import SEED_BITS, SharedReference, open_reference
from wassay.distributions import derivable
from wassay.models import Mode, Reference, Request, ScorePolicy
from wassay.modes import MODES
from wassay.reference_key import ReferenceKey
from wassay.transport import Measure, project, scale_hiding
from wassay.transport import Reference as DerivedReference
from wassay.transport.data.labels import class_indices


def dry_run(
    request: Request,
    published: Reference,
    measure: Measure,
    labels: ArrayLike | None,
    mode: Mode,
    scores: ScorePolicy,
) -> tuple[PreparedContribution, SharedReference]:
    """Make ready what would be sent, without the buyer's key and the buyer's measure.

    To get these would be to begin an answer, which the buyer sees. A reference and an isometry of
    the same kind, and as many points as the buyer has, tell the same classes.

    Raises
    ------
    SealingError
        When the reference is open and has no seed.
    """
    shared = (
        open_reference(published)
        if published.disclosure == "open"
        else ReferenceKey.draw(_like(published), scale_hiding(measure))
    )
    projection = project(measure, shared.reference.measure())
    costs = None
    if MODES[mode].reveals_measure and request.measure is not None:
        seen = shared.conceal(_as_many(request.measure.rows, measure))
        if labels is not None:
            count = len(request.class_names or class_indices(labels)[0])
            classes = np.arange(seen.size) % count
            seen = Measure(np.column_stack([seen.points, classes]))
        costs = costs_to(seen, projection, shared, labels, request)
        projection = costs.projection
    return PreparedContribution(projection, request, mode, costs, scores), shared


def _as_many(rows: int, measure: Measure) -> Measure:
    """Points around a measure, as many as the buyer has."""
    spread = measure.points.std(axis=0) + np.finfo(float).tiny
    size = (min(rows, AUDITED_RECORDS), measure.dimension)
    return Measure(np.random.default_rng(0).normal(measure.mean, spread, size))


def _like(published: Reference) -> DerivedReference:
    return DerivedReference(
        size=published.size,
        dimension=published.dimension,
        distribution=derivable(published.distribution),
        seed=secrets.randbits(SEED_BITS),
        derivation=published.derivation,
    )

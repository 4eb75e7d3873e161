"""Write the buyer's report, which contains t0 and the distances at t0."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing
from wassay.client.errors import ConflictError, ForbiddenError
from wassay.client.evaluation.estimates import Estimates
from wassay.client.evaluation.evaluation import Evaluation
from wassay.client.evaluation.noised_result import NoisedEstimates, NoisedResult
from wassay.client.evaluation.result import Result
from wassay.client.valuation.coalition_distances import CoalitionEstimates
from wassay.client.valuation.label_scores import LabelScores
from wassay.client.valuation.scores import scores_rounding
from wassay.modes import scores_labels
from wassay.private_file import write_new
from wassay.report import (
    MOST_PLOTS,
    MOST_WRONG_LABELS,
    NAMING,
    Distance,
    PrivateDistances,
    Report,
    WrongLabels,
    render,
)
from wassay.transport import Estimate, Nearness, ScaledDistance

Distances = Mapping[frozenset[str], Distance]


def write_report(
    service: Service[Flowing], evaluation: Evaluation[Any], t0: float, path: str | Path
) -> Flow[None]:
    """Render the report of an evaluation to a new file that only its owner may read."""
    page = render((yield from collect_report(service, evaluation, t0)))
    write_new(path, page)


def collect_report(
    service: Service[Flowing], evaluation: Evaluation[Any], t0: float
) -> Flow[Report]:
    """Read everything that the report shows, and evaluate every curve at t0."""
    state = yield from Evaluation.refresh.flow(evaluation)
    result: Result | NoisedResult
    distances: Distances
    nearness: Mapping[str, Nearness] = {}
    rounding = 0.0
    if state.epsilon is None:
        result = yield from Evaluation.result.flow(evaluation)
        estimates = result.estimates()
        known = yield from evaluation.coalition_solver(progress=False).known()
        distances = {**requested_distances(known), **exact_distances(estimates)}
        rounding = scores_rounding(result.document, t0)
        nearness = nearness_of(estimates)
        showing = [each for each in result.document.sellers if each.scores_shown == "scores"]
        naming = [each for each in result.document.sellers if each.scores_shown in NAMING]
    else:
        result = yield from Evaluation.noised_result.flow(evaluation)
        distances = noised_distances(result.estimates())
        showing, naming = [], []
    request = yield from service.requests.get(state.request_id)
    reference = yield from service.references.get(request.reference_id)
    receipt = yield from Evaluation.receipt.flow(evaluation)
    own = yield from service.disclosures.list(role="owner", request_id=request.id).all()
    received = yield from service.disclosures.list(role="viewer", request_id=request.id).all()
    scores, spreads = {}, {}
    for seller in showing[:MOST_PLOTS]:
        if seller.verified:
            name = seller.contribution_id
            read = yield from Evaluation.scores_at_t0.flow(evaluation, name)
            scores[name], spreads[name] = read.values, read.spread + 2 * rounding
    noisiest = {}
    for seller in naming[:MOST_PLOTS]:
        name = seller.contribution_id
        named = yield from Evaluation.scores.flow(evaluation, name)
        noisiest[name] = named.noisiest
    label_scores = {}
    if request.labelled and scores_labels(request.modes):
        for name in state.contribution_ids[:MOST_PLOTS]:
            # The result does not tell which sellers disclose label scores, so try each seller.
            with suppress(ForbiddenError, ConflictError):
                scored = yield from Evaluation.label_scores.flow(evaluation, name)
                label_scores[name] = wrong_labels(scored)
    return Report(
        request=request,
        reference=reference,
        evaluation=state,
        result=result.document,
        receipt=receipt,
        disclosures=[*own, *received],
        scores=scores,
        spreads=spreads,
        noisiest=noisiest,
        label_scores=label_scores,
        private=PrivateDistances(t0, distances, nearness),
    )


def wrong_labels(scored: LabelScores) -> WrongLabels:
    """Return a seller's points with probably wrong labels, and `scored.accuracy`.

    At most `MOST_WRONG_LABELS` points are returned.
    """
    rows = scored.highest(MOST_WRONG_LABELS)
    if scored.values is not None:
        # Only points with positive scores lower the accuracy.
        rows = [row for row in rows if scored.values[row] > 0]
        listed = set(scored.values[rows].tolist())
        # A choice among more points with equal scores would be arbitrary.
        if len(listed) == 1 and np.isin(scored.values, list(listed)).sum() > len(rows):
            rows = []
    return WrongLabels(tuple(rows), scored.accuracy)


def exact_distances(estimates: Estimates) -> Distances:
    """Return the distances at t0 by coalition: everyone, each single seller, everyone but one.

    A coalition whose distance was not computed has no entry.
    """
    everyone = frozenset(seller.contribution_id for seller in estimates.sellers)
    distances = {
        everyone - {seller.contribution_id}: _distance(seller.leave_one_out)
        for seller in estimates.sellers
        if seller.leave_one_out is not None
    }
    # With two sellers, leaving one out gives the singleton of the other. Singletons are written
    # later and take its place, because they also have the scaled-up distance.
    for seller in estimates.sellers:
        distances[frozenset([seller.contribution_id])] = _distance(
            seller.singleton, verified=seller.verified, scaled=seller.scaled
        )
    if estimates.grand_coalition is not None:
        distances[everyone] = _distance(estimates.grand_coalition, scaled=estimates.scaled)
    return distances


def requested_distances(known: CoalitionEstimates) -> Distances:
    """Return the distance at t0 of each coalition in `known.requested`."""
    return {members: _distance(known(members)) for members in known.requested}


def nearness_of(estimates: Estimates) -> dict[str, Nearness]:
    """Return the nearness of each seller for whom it was computed, by contribution id."""
    return {
        seller.contribution_id: seller.nearness
        for seller in estimates.sellers
        if seller.nearness is not None
    }


def noised_distances(estimates: NoisedEstimates) -> Distances:
    """Return the noised distances at t0 by coalition: everyone, and each single seller."""
    singleton = {
        frozenset([name]): Distance(each.value, each.interval, (each.value, each.value))
        for name, each in estimates.sellers.items()
    }
    whole = estimates.grand_coalition
    grand_coalition = Distance(whole.value, whole.interval, (whole.value, whole.value))
    return {**singleton, frozenset(estimates.sellers): grand_coalition}


def _distance(
    estimated: Estimate, *, verified: bool = True, scaled: ScaledDistance | None = None
) -> Distance:
    interval = estimated.interval if verified else None
    return Distance(estimated.value, interval, estimated.tie_interval, scaled)

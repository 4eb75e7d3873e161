"""Record in the ledger what an evaluation discloses about its parties' data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from sqlalchemy.orm import Session

from wassay.models import DisclosureKind
from wassay.readable_projections import projections_read

from ...contributions.disclosures import dataset_of
from ...contributions.models import Contribution
from ...contributions.presentation import points_of
from ...ledger.service import LedgerEntry, append_entries
from ...requests.models import BuyerMeasure
from .. import result_repository
from ..models import EvaluatedContribution, Evaluation
from .score_visibility import (
    buyer_scores_visible,
    labels_visible_to_buyer,
    labels_visible_to_seller,
    visible_to_buyer,
    visible_to_seller,
)

_SHOWING_POINTS = {"buyer-scores", "seller-scores", "seller-label-scores"}
"""Disclosures of scores of the viewer's own points, from which the owner's points can be computed.
"""


def record_result(session: Session, evaluation: Evaluation, document: Mapping[str, Any]) -> None:
    """Record what the buyer may read of a result, and which scores each party may read.

    `document` is the result.
    """
    digest = evaluation.inputs_digest
    contributions = [used.contribution for used in evaluation.contributions]
    buyer_id = evaluation.request.account_id
    entries = [
        _distances_entry(evaluation, used, digest, buyer_id)
        for used in evaluation.contributions
        if used.coalition_count
    ]
    # The result of an extension repeats what the extended evaluation has disclosed already.
    if evaluation.extends is None:
        resampled = _resampled_ids(document)
        entries += [
            _seller_entry(evaluation, each, "resampled", digest, buyer_id)
            for each in contributions
            if each.id in resampled
        ]
        entries += _coverage_entries(evaluation, contributions, digest, document.get("coverage"))
        found = _ids_in_findings(document)
        entries += [
            replace(_seller_entry(evaluation, each, "findings", digest, buyer_id), sweep=[])
            for each in contributions
            if each.id in found
        ]
    has_scores = evaluation.request.epsilon is None and contributions[0].terms.is_verified
    if has_scores and evaluation.extends is None:
        entries += _score_entries(evaluation, contributions, digest)
    if evaluation.request.scores_labels and evaluation.extends is None:
        for each in contributions:
            scored = result_repository.scored_labels(session, evaluation.id, each.id)
            swept = [one.s for one in scored if one.kind == "swept-labels"]
            entries += _label_score_entries(evaluation, each, swept, digest)
    # Repeating an evaluation without noise adds no row.
    append_entries(session, entries)


def _coverage_entries(
    evaluation: Evaluation,
    contributions: Sequence[Contribution],
    digest: str,
    coverage: Mapping[str, Any] | None,
) -> list[LedgerEntry]:
    """Return a ledger entry for each seller whose coverage the buyer reads in a result.

    `coverage` is the result's, or None; `digest` is the digest of the evaluation's inputs.
    """
    groups = [] if coverage is None else [each["contribution_ids"] for each in coverage["groups"]]
    counts = {each.id: sum(each.id in group for group in groups) for each in contributions}
    return [
        replace(
            _seller_entry(evaluation, each, "coverage", digest, evaluation.request.account_id),
            sweep=[] if coverage is None else coverage["sweep"],
            coalitions=counts[each.id],
        )
        for each in contributions
        if counts[each.id]
    ]


def _resampled_ids(document: Mapping[str, Any]) -> set[str]:
    """Return the ids of the contributions whose points a result compares in random parts."""
    return {
        seller["contribution_id"]
        for seller in document["sellers"]
        if seller.get("resampled") is not None
    }


def _ids_in_findings(document: Mapping[str, Any]) -> set[str]:
    """Return the ids of the contributions that a result's findings name."""
    return {
        contribution_id
        for finding in document.get("findings", ())
        for contribution_id in (finding["contribution_id"], finding["other_contribution_id"])
        if contribution_id is not None
    }


def _distances_entry(
    evaluation: Evaluation, used: EvaluatedContribution, digest: str, buyer_id: str
) -> LedgerEntry:
    entry = _seller_entry(evaluation, used.contribution, "distances", digest, buyer_id)
    asked = used.coalition_count * len(entry.sweep)
    rank = projections_read(asked, entry.points, entry.dimension)
    return replace(
        entry,
        coalitions=used.coalition_count,
        rank=rank if rank and evaluation.request.epsilon is None else None,
    )


def _score_entries(
    evaluation: Evaluation, contributions: Sequence[Contribution], digest: str
) -> list[LedgerEntry]:
    """Return ledger entries for the scores of points that the parties may read.

    `digest` is that of the evaluation's inputs.
    """
    buyer_id = evaluation.request.account_id
    entries = []
    for contribution in contributions:
        visibility = visible_to_buyer(evaluation, contribution)
        if visibility != "none":
            entry = _seller_entry(evaluation, contribution, visibility, digest, buyer_id)
            entries.append(entry if visibility == "scores" else _at_one_s(entry, evaluation))
        if buyer_scores_visible(evaluation):
            entries.append(
                _seller_entry(evaluation, contribution, "buyer-scores", digest, buyer_id)
            )
    for reader in contributions:
        visibility = visible_to_seller(evaluation, reader)
        is_exact = visibility == "scores"
        if reader.account_id != buyer_id and visibility != "none":
            kind: DisclosureKind = "seller-scores" if is_exact else "seller-noisiest"
            entry = _buyer_entry(evaluation, kind, digest, reader.account_id)
            entries.append(entry if is_exact else _at_one_s(entry, evaluation))
        entries += [
            _seller_entry(evaluation, other, "seller-scores", digest, reader.account_id)
            for other in contributions
            if is_exact and other is not reader
        ]
    return entries


def _label_score_entries(
    evaluation: Evaluation, contribution: Contribution, swept: list[float], digest: str
) -> list[LedgerEntry]:
    """Return ledger entries for the scores of a seller's labels that buyer and seller may read.

    The buyer reads scores at each s in `swept`; `digest` is the digest of the evaluation's inputs.
    """
    request, seller_id = evaluation.request, contribution.account_id
    entries = []
    to_buyer = labels_visible_to_buyer(contribution)
    if to_buyer != "none":
        in_full = to_buyer == "scores"
        kind: DisclosureKind = "label-scores" if in_full else "label-ranks"
        entry = _seller_entry(evaluation, contribution, kind, digest, request.account_id)
        entries.append(replace(entry, sweep=swept) if in_full else _at_one_s(entry, evaluation))
    to_seller = labels_visible_to_seller(evaluation, contribution)
    if seller_id != request.account_id and to_seller == "scores":
        entries.append(_buyer_entry(evaluation, "seller-label-scores", digest, seller_id))
    elif seller_id != request.account_id and to_seller == "noisiest":
        entry = _buyer_entry(evaluation, "seller-label-worst", digest, seller_id)
        entries.append(_at_one_s(entry, evaluation))
    return entries


def _at_one_s(entry: LedgerEntry, evaluation: Evaluation) -> LedgerEntry:
    """Return a copy of a ledger entry about scores at one s; its sweep is only the middle s."""
    # The s of the scores stays secret, so the middle s of the request's sweep stands for it.
    sweep = evaluation.request.sweep
    return replace(entry, sweep=[sweep[len(sweep) // 2]])


def _seller_entry(
    evaluation: Evaluation,
    contribution: Contribution,
    kind: DisclosureKind,
    digest: str,
    viewer_id: str,
) -> LedgerEntry:
    request = evaluation.request
    return LedgerEntry(
        owner_id=contribution.account_id,
        dataset=dataset_of(contribution),
        viewer_id=viewer_id,
        request_id=request.id,
        kind=kind,
        reference_id=request.reference_id,
        sealed=False,  # the viewer knows the isometry
        points=points_of(contribution) or 0,
        dimension=request.reference.raw_dimension,
        rank=request.reference.projection_rank if kind in _SHOWING_POINTS else None,
        sweep=request.sweep,
        epsilon=request.epsilon,
        digest=digest,
    )


def _buyer_entry(
    evaluation: Evaluation, kind: DisclosureKind, digest: str, viewer_id: str
) -> LedgerEntry:
    request = evaluation.request
    measure = cast("BuyerMeasure", request.measure)  # an opened request has a measure
    return LedgerEntry(
        owner_id=request.account_id,
        dataset=request.account_id,
        viewer_id=viewer_id,
        request_id=request.id,
        kind=kind,
        reference_id=request.reference_id,
        # The viewer may hold the key, but the disclosure of the key has a row of its own.
        sealed=request.reference.disclosure == "sealed",
        points=measure.rows,
        dimension=request.reference.raw_dimension + request.labelled,
        rank=request.reference.projection_rank if kind in _SHOWING_POINTS else None,
        sweep=[],  # exact scores disclose the measure at the buyer's t0, which is not in the sweep
        digest=digest,
    )

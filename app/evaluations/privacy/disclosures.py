"""What an evaluation discloses of its parties' data to each other, for the ledger."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import rfc8785
from sqlalchemy.orm import Session

from wassay.models import DisclosureKind

from ...contributions.disclosures import dataset_of
from ...contributions.models import Contribution
from ...contributions.presentation import points_of
from ...ledger.service import LedgerEntry, append_entries
from ...requests.models import BuyerMeasure
from ..models import Evaluation, Result
from .score_visibility import buyer_scores_shown, shown_to_buyer, shown_to_seller


def result_published(session: Session, evaluation: Evaluation, result: Result) -> None:
    """Write down that the buyer may now read the distances, and all parties scores of points.

    The same question again has the same answer unless noise was drawn anew: then every result
    counts.
    """
    asked = question_of(evaluation) if evaluation.request.epsilon is None else result.digest
    contributions = [used.contribution for used in evaluation.contributions]
    buyer_id = evaluation.request.account_id
    coalitions = _coalitions_with(evaluation, json.loads(result.document))
    entries = [
        replace(
            _answer(evaluation, each, "distances", asked, buyer_id),
            coalitions=coalitions.get(each.id, 1),
        )
        for each in contributions
        if coalitions.get(each.id, 1)
    ]
    has_scores = evaluation.request.epsilon is None and contributions[0].terms.is_verified
    if has_scores and evaluation.extends is None:
        entries += _scores_published(evaluation, contributions, asked)
    append_entries(session, entries)


def _coalitions_with(evaluation: Evaluation, document: Mapping[str, Any]) -> Mapping[str, int]:
    """Count the coalitions and pairs whose distances a result holds, for each contribution in them.

    One alone is the only coalition there is of answers by scalars; and where two are evaluated,
    each is all without the other.
    """
    names = [used.contribution_id for used in evaluation.contributions]
    if document.get("together") is None or len(names) == 1:
        return {}
    left_out = len(names) - 1 if len(names) > 2 else 0
    before = 0 if evaluation.extends else 2 + left_out
    solved = Counter(dict.fromkeys(names, before))
    for told in (*document.get("coalitions", ()), *document.get("pairs", ())):
        solved.update(told["contribution_ids"])
    return solved


def question_of(evaluation: Evaluation) -> str:
    """Name what was asked: the same request of the same contributions has the same answer."""
    question = {
        "request_id": evaluation.request_id,
        "contribution_ids": sorted(used.contribution_id for used in evaluation.contributions),
        "seller_weighting": evaluation.seller_weighting,
        "extends": evaluation.extends,
        "coalitions": sorted(sorted(set(members)) for members in evaluation.coalitions),
        "first_permutation": evaluation.first_permutation,
        "permutations": evaluation.permutations,
        "pairs": evaluation.pairs,
    }
    return hashlib.sha256(rfc8785.dumps(question)).hexdigest()


def _scores_published(
    evaluation: Evaluation, contributions: Sequence[Contribution], asked: str
) -> list[LedgerEntry]:
    """What the scores of points, the reader's own or others', tell of everybody's data."""
    buyer_id = evaluation.request.account_id
    entries = []
    for contribution in contributions:
        shown = shown_to_buyer(evaluation, contribution)
        if shown != "none":
            entries.append(_answer(evaluation, contribution, shown, asked, buyer_id))
        if buyer_scores_shown(evaluation):
            entries.append(_answer(evaluation, contribution, "buyer-scores", asked, buyer_id))
    for reader in contributions:
        shown = shown_to_seller(evaluation, reader)
        is_exact = shown == "scores"
        if reader.account_id != buyer_id and shown != "none":
            kind: DisclosureKind = "seller-scores" if is_exact else "seller-noisiest"
            entries.append(_of_the_buyer(evaluation, kind, asked, reader.account_id))
        entries += [
            _answer(evaluation, other, "seller-scores", asked, reader.account_id)
            for other in contributions
            if is_exact and other is not reader
        ]
    return entries


def _answer(
    evaluation: Evaluation,
    contribution: Contribution,
    kind: DisclosureKind,
    asked: str,
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
        sealed=False,  # the parties know the isometry
        points=points_of(contribution) or 0,
        dimension=request.reference.dimension,
        sweep=request.sweep,
        epsilon=request.epsilon,
        digest=asked,
    )


def _of_the_buyer(
    evaluation: Evaluation, kind: DisclosureKind, asked: str, viewer_id: str
) -> LedgerEntry:
    request = evaluation.request
    measure = cast("BuyerMeasure", request.measure)  # it was opened, so it has one
    return LedgerEntry(
        owner_id=request.account_id,
        dataset=request.account_id,
        viewer_id=viewer_id,
        request_id=request.id,
        kind=kind,
        reference_id=request.reference_id,
        sealed=request.reference.disclosure == "sealed",  # its key has a row of its own
        points=measure.rows,
        dimension=measure.columns,
        # Exact scores give the measure at the buyer's t0, which no s is.
        sweep=request.sweep if kind == "seller-noisiest" else [],
        digest=asked,
    )

"""Collect the contents of an evaluation's report, for its buyer."""

from collections.abc import Collection
from contextlib import suppress

import numpy as np
from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.receipts import verify
from wassay.report import MOST_PLOTS, NAMING, Report, WrongLabels

from ...accounts.principal import Principal
from ...arrays.store import ArrayStore
from ...ledger import service as ledger
from ...references.service import to_wire as reference_to_wire
from ...requests.presentation import request_to_wire
from ..access import own_evaluation
from ..models import Evaluation
from ..presentation import evaluation_to_wire
from ..privacy.score_visibility import visible_to_buyer
from ..problems import NoScores, ScoresWithheld
from ..stall_reasons import QueueView
from .receipts import read_receipt
from .results import read_result
from .scores import read_label_scores, read_seller_scores


def read_report(
    session: Session, store: ArrayStore, caller: Principal, evaluation_id: str
) -> Report:
    """Return the contents of an evaluation's report.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationNotFinished
        If the evaluation is waiting or running.
    EvaluationWithoutResult
        If the evaluation failed or was cancelled.
    """
    evaluation = own_evaluation(session, caller, evaluation_id)
    request = evaluation.request
    is_noised = request.epsilon is not None
    stored = read_result(session, caller, evaluation_id, noised=is_noised)
    kind = wire.NoisedResult if is_noised else wire.Result
    receipt = read_receipt(session, caller, evaluation_id)
    scored = _disclosed_scores(session, store, caller, evaluation)
    return Report(
        request=request_to_wire(request, reads_measure=True),
        reference=reference_to_wire(request.reference),
        evaluation=evaluation_to_wire(evaluation, caller, QueueView(session)),
        result=kind.model_validate_json(stored.document),
        receipt=verify(receipt.content.encode()),
        disclosures=ledger.disclosures_of_request(session, caller, request.id),
        scores={name: np.array(each.values) for name, each in scored.items()},
        spreads={name: np.array(each.spread) for name, each in scored.items()},
        noisiest=_noisiest_rows(session, store, caller, evaluation),
        label_scores=_wrong_labels(session, store, caller, evaluation),
    )


def _disclosed_scores(
    session: Session, store: ArrayStore, caller: Principal, evaluation: Evaluation
) -> dict[str, wire.PointScores]:
    """Read the scores of the first `MOST_PLOTS` sellers who disclose scores.

    The scores are keyed by the contribution's id.
    """
    return {
        name: read_seller_scores(session, store, caller, evaluation.id, name, None)
        for name in _contributions_shown(evaluation, {"scores"})
    }


def _noisiest_rows(
    session: Session, store: ArrayStore, caller: Principal, evaluation: Evaluation
) -> dict[str, list[int]]:
    """Return the indices of the noisiest points of sellers who disclose those, but no scores.

    The dictionary has the first `MOST_PLOTS` such contributions, by id.
    """
    return {
        name: read_seller_scores(session, store, caller, evaluation.id, name, None).noisiest
        for name in _contributions_shown(evaluation, NAMING)
    }


def _wrong_labels(
    session: Session, store: ArrayStore, caller: Principal, evaluation: Evaluation
) -> dict[str, WrongLabels]:
    """Return which points probably have a wrong label, keyed by the contribution's id.

    Of the first `MOST_PLOTS` sellers, only those are included who disclose this to the buyer.
    """
    if not evaluation.request.scores_labels:
        return {}  # the service does not score labels
    found = {}
    for used in evaluation.contributions[:MOST_PLOTS]:
        name = used.contribution_id
        with suppress(ScoresWithheld, NoScores):
            read = read_label_scores(session, store, caller, evaluation.id, name)
            worst = read.worst if read.ranks is None else np.argsort(read.ranks).tolist()
            # The accuracy is left out: it follows from the scores at the buyer's secret t0.
            found[name] = WrongLabels(tuple(worst[: len(read.worst)]))
    return found


def _contributions_shown(
    evaluation: Evaluation, visibilities: Collection[wire.ScoresShown]
) -> list[str]:
    """Return the ids of the contributions whose `visible_to_buyer` is one of `visibilities`.

    Return at most `MOST_PLOTS` ids, and none of contributions whose points were deleted.
    """
    if evaluation.request.epsilon is not None:
        return []  # with noise, there are no scores
    shown = [
        used.contribution_id
        for used in evaluation.contributions
        if visible_to_buyer(evaluation, used.contribution) in visibilities
        and used.contribution.arrays[0].deleted_at is None
    ]
    return shown[:MOST_PLOTS]

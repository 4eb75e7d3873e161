"""Convert evaluations and scores to the models of the HTTP API."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wassay import models as wire
from wassay.transport import highest_first

from ..accounts.principal import Principal
from .access import visible_problem, visible_reason
from .models import UNFINISHED, Evaluation
from .stall_reasons import QueueView


def evaluation_to_wire(
    evaluation: Evaluation, viewer: Principal, queue: QueueView
) -> wire.Evaluation:
    """Convert an evaluation for its buyer or a seller. Sellers see only their own contributions."""
    is_buyer = evaluation.request.account_id == viewer.as_buyer
    problem = visible_problem(evaluation, viewer)
    return wire.Evaluation(
        id=evaluation.id,
        request_id=evaluation.request_id,
        state=evaluation.state,
        seller_weighting=evaluation.seller_weighting,
        extends=evaluation.extends,
        leave_one_out=evaluation.leave_one_out,
        leave_one_out_omitted=evaluation.leave_one_out_omitted if is_buyer else None,
        contribution_ids=[
            used.contribution_id
            for used in evaluation.contributions
            if is_buyer or used.contribution.account_id == viewer.as_seller
        ],
        progress=_progress_of(evaluation),
        attempts=evaluation.attempts,
        epsilon=evaluation.request.epsilon,
        reason=_reason_of(evaluation, viewer, queue),
        problem=None if problem is None else wire.Problem.model_validate(problem),
        created_at=evaluation.created_at,
        started_at=evaluation.started_at,
        finished_at=evaluation.finished_at,
    )


def operated_evaluation(evaluation: Evaluation, queue: QueueView) -> wire.OperatedEvaluation:
    """Convert an evaluation for an administrator, who sees neither its sellers nor its result."""
    account = evaluation.request.account
    reason = evaluation.reason
    if evaluation.state in UNFINISHED:
        reason = queue.reason_of(evaluation)
    return wire.OperatedEvaluation(
        id=evaluation.id,
        request_id=evaluation.request_id,
        account_id=account.id,
        organisation=account.organisation,
        state=evaluation.state,
        progress=_progress_of(evaluation),
        attempts=evaluation.attempts,
        reason=reason,
        problem=None
        if evaluation.problem is None
        else wire.Problem.model_validate(evaluation.problem),
        created_at=evaluation.created_at,
        started_at=evaluation.started_at,
        finished_at=evaluation.finished_at,
    )


def _progress_of(evaluation: Evaluation) -> wire.Progress | None:
    if evaluation.progress_done is None or evaluation.progress_total is None:
        return None
    return wire.Progress(done=evaluation.progress_done, total=evaluation.progress_total)


def _reason_of(evaluation: Evaluation, viewer: Principal, queue: QueueView) -> str | None:
    if evaluation.state not in UNFINISHED:
        return visible_reason(evaluation, viewer)
    return queue.reason_of(evaluation)


def scores_to_wire(
    evaluation_id: str,
    contribution_id: str | None,
    s: float | None,
    method: str,
    array: NDArray[np.float64],
    noisiest: NDArray[np.intp],
    visibility: wire.ScoresShown,
) -> wire.PointScores:
    """Convert the scores of one party's points, as far as `visibility` allows.

    Parameters
    ----------
    evaluation_id, visibility
    contribution_id
        None for the buyer's points.
    s
        None for the s at which all sellers' points together are nearest to the buyer's.
    method
        How the scores were computed: `exact` or `landmarks`.
    array
        The score of each point and its spread, shape (n, 2).
    noisiest
        The indices of the points with the highest scores.
    """
    values, spread = array.T
    in_full = visibility == "scores"
    return wire.PointScores(
        evaluation_id=evaluation_id,
        contribution_id=contribution_id,
        s=s,
        method=method if in_full else None,
        values=values.tolist() if in_full else None,
        spread=spread.tolist() if in_full else None,
        ranks=ranks(values).tolist() if in_full or visibility == "ranks" else None,
        noisiest=noisiest.tolist(),
    )


def label_scores_to_wire(
    evaluation_id: str,
    contribution_id: str,
    scores: NDArray[np.float64],
    swept: Mapping[float, NDArray[np.float64]],
    worst: NDArray[np.intp],
    visibility: wire.ScoresShown,
) -> wire.LabelScores:
    """Convert the scores of labels as far as `visibility` allows.

    Parameters
    ----------
    scores
        The scores that the seller may read, at an s that the response does not name. All ranks are
        those of these scores.
    swept
        The scores that the buyer may read, at many s, keyed by s. Empty if the seller reads.
    worst
        The indices of the points whose labels are probably wrong.
    """
    in_full = visibility == "scores"
    shown = list(swept.values()) or [scores]
    return wire.LabelScores(
        evaluation_id=evaluation_id,
        contribution_id=contribution_id,
        sweep=list(swept) or None if in_full else None,
        values=[values.tolist() for values in shown] if in_full else None,
        ranks=ranks(scores).tolist() if in_full or visibility == "ranks" else None,
        worst=worst.tolist(),
    )


def ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rank of each point, from 0 for the highest score.

    Points whose scores differ only by rounding errors are ranked by their index.
    """
    result = np.empty(len(values), dtype=np.int64)
    result[highest_first(values)] = np.arange(len(values))
    return result

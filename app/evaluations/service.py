"""Create, list, read and cancel evaluations."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..accounts.repository import lock_organisation
from ..contributions.access import mark_used
from ..http.pagination import PageQuery, page
from ..jobs.queue import JobQueue
from ..requests import service as requests
from ..requests.access import visible_request
from . import queue_repository, repository
from .access import own_evaluation, visible_evaluation
from .evaluation_cost import SolveLimits, cost_of, require_affordable
from .evaluation_limits import EvaluationLimits
from .jobs import outcomes
from .jobs.enqueueing import enqueue_evaluation
from .jobs.turns import next_turn
from .models import Evaluation
from .new_evaluation import new_evaluation
from .presentation import evaluation_to_wire
from .schemas import NewEvaluation
from .stall_reasons import QueueView


def create_evaluation(
    session: Session,
    queue: JobQueue,
    caller: Principal,
    request_id: str,
    new: NewEvaluation,
    limits: EvaluationLimits,
    solve_limits: SolveLimits,
) -> wire.Evaluation:
    """Create an evaluation, and enqueue it.

    Raises
    ------
    NotFound
        If the caller has no such request, the request has no such contribution, or the caller has
        no such evaluation to extend.
    RequestNotEvaluable
        If the request is a draft or cancelled, or its measure was deleted.
    NoContributions
        If no contribution is submitted.
    ContributionNotSubmitted
        If a named contribution is not submitted.
    MixedContributions
        If some contributions are scalars and some are not.
    CapExceeded
        If a seller's caps forbid the evaluation.
    SellerWeightsIncomplete
        If weights are given, but not for exactly the evaluated contributions.
    NotExtendable
        If the evaluation to extend has not succeeded, or belongs to another request.
    CoalitionNotEvaluable
        If the coalitions, permutations or pairs cannot be evaluated; see `require_solvable`.
    TooManyEvaluations
        If the caller's account or organisation has reached its limit of unfinished evaluations.
    EvaluationTooLarge
        If a solver process could not solve the evaluation within its limits.
    """
    # Lock the organisation, so that concurrent calls cannot exceed the limits together.
    lock_organisation(session, caller.organisation_key)
    backlog = queue_repository.backlog_of(session, caller.account_id, caller.organisation_key)
    limits.require_room(backlog)
    evaluation = new_evaluation(session, caller, request_id, new, next_turn(backlog))
    evaluation.estimated_seconds = require_affordable(evaluation, solve_limits)
    mark_used([used.contribution for used in evaluation.contributions])
    session.add(evaluation)
    session.flush()
    enqueue_evaluation(session, queue, evaluation)
    return evaluation_to_wire(evaluation, caller, QueueView(session))


def estimate_evaluation(
    session: Session,
    caller: Principal,
    request_id: str,
    new: NewEvaluation,
    solve_limits: SolveLimits,
) -> wire.EvaluationCost:
    """Estimate what an evaluation would cost; roll the session back, so that nothing is stored.

    Raise what `create_evaluation` raises, except `TooManyEvaluations` and `EvaluationTooLarge`.
    """
    evaluation = new_evaluation(session, caller, request_id, new, turn=0)
    cost = cost_of(session, evaluation, solve_limits)
    session.rollback()
    return cost


def list_evaluations(
    session: Session, caller: Principal, request_id: str, query: PageQuery
) -> wire.Page[wire.Evaluation]:
    """Return a page of a request's evaluations.

    The request's buyer sees all evaluations; a seller sees the evaluations that use the seller's
    contribution.

    Raises
    ------
    NotFound
        If there is no such request, or the caller may not see it.
    """
    visible_request(session, caller, request_id)
    queue = QueueView(session)
    rows = repository.visible_to(caller.as_buyer, caller.as_seller).where(
        Evaluation.request_id == request_id
    )
    return page(
        session,
        rows,
        Evaluation,
        query,
        lambda row: evaluation_to_wire(row, caller, queue),
    )


def read_evaluation(session: Session, caller: Principal, evaluation_id: str) -> wire.Evaluation:
    """Return an evaluation that the caller may see.

    Raises
    ------
    NotFound
        If there is no such evaluation, or the caller may not see it.
    """
    evaluation = visible_evaluation(session, caller, evaluation_id)
    return evaluation_to_wire(evaluation, caller, QueueView(session))


def cancel_evaluation(session: Session, caller: Principal, evaluation_id: str) -> wire.Evaluation:
    """Cancel a waiting or running evaluation; cancelling again changes nothing.

    Workers stop computing the evaluation within a fraction of a second.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationFinished
        If the evaluation has succeeded or failed.
    """
    evaluation = own_evaluation(session, caller, evaluation_id, lock=True)
    outcomes.cancel_unfinished(session, evaluation, "The buyer cancelled the evaluation.")
    session.flush()
    return evaluation_to_wire(evaluation, caller, QueueView(session))


def cancel_request(session: Session, caller: Principal, request_id: str) -> wire.Request:
    """Cancel a request for good, and its waiting and running evaluations.

    Raises
    ------
    NotFound
        If the caller has no such request.
    """
    request = requests.cancel_request(session, caller, request_id)
    for evaluation in repository.unfinished_of(session, request_id):
        outcomes.cancel(session, evaluation, "The request was cancelled.")
    return request

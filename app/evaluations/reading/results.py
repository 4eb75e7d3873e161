"""Read the result of an evaluation."""

from typing import cast

from sqlalchemy.orm import Session

from ...accounts.principal import Principal
from .. import result_repository
from ..access import own_evaluation, visible_problem, visible_reason
from ..models import UNFINISHED, Evaluation, Result
from ..problems import (
    EvaluationNotFinished,
    EvaluationWithoutResult,
    ResultWithNoise,
    ResultWithoutNoise,
)


def read_result(
    session: Session, caller: Principal, evaluation_id: str, *, noised: bool = False
) -> Result:
    """Return the result of an evaluation to its buyer.

    `noised` says whether the caller asks for a result with noise.

    Raises
    ------
    NotFound
        If the caller has no such evaluation.
    EvaluationNotFinished
        If the evaluation is waiting or running.
    EvaluationWithoutResult
        If the evaluation failed or was cancelled.
    ResultWithNoise
        If `noised` is false, but the request has an epsilon.
    ResultWithoutNoise
        If `noised` is true, but the request has no epsilon.
    """
    evaluation = own_evaluation(session, caller, evaluation_id)
    require_result(evaluation, caller)
    if noised and evaluation.request.epsilon is None:
        raise ResultWithoutNoise(
            f"Request {evaluation.request_id} has no epsilon, so its results carry no noise. Read "
            f"/v1/evaluations/{evaluation_id}/result instead."
        )
    if not noised and evaluation.request.epsilon is not None:
        raise ResultWithNoise(
            f"Request {evaluation.request_id} has an epsilon, so its results carry noise. Read "
            f"/v1/evaluations/{evaluation_id}/noised-result instead."
        )
    return cast("Result", result_repository.result_of(session, evaluation_id))


def require_result(evaluation: Evaluation, caller: Principal) -> None:
    """Raise unless the evaluation has succeeded.

    Raises
    ------
    EvaluationNotFinished
        If the evaluation is waiting or running.
    EvaluationWithoutResult
        If the evaluation failed or was cancelled.
    """
    if evaluation.state in UNFINISHED:
        raise EvaluationNotFinished(
            f"Evaluation {evaluation.id} is {evaluation.state}; wait until it has succeeded.",
            expected="succeeded",
            received=evaluation.state,
        )
    if evaluation.state != "succeeded":
        raise EvaluationWithoutResult(
            f"Evaluation {evaluation.id} has no result: it {_ended(evaluation)}. "
            f"{visible_reason(evaluation, caller) or ''}".strip(),
            expected="succeeded",
            received=evaluation.state,
            reason=visible_problem(evaluation, caller),
        )


def _ended(evaluation: Evaluation) -> str:
    return "failed" if evaluation.state == "failed" else "was cancelled"

"""Build the task of an evaluation for a solver process."""

from typing import cast

from sqlalchemy.orm import Session

from ...contributions.presentation import points_of, scalars_of
from ...requests.models import Request
from .. import result_repository
from ..computing.process_messages import (
    ArrayTask,
    EvaluationTask,
    MeasureTask,
    NoiseTask,
    SellerTask,
    StoreTask,
)
from ..models import EvaluatedContribution, Evaluation, Result
from ..privacy.score_visibility import may_be_compared, visible_to_buyer


def task_of(
    session: Session, evaluation: Evaluation, store: StoreTask, *, is_chunk: bool = False
) -> EvaluationTask:
    """Return the task of an evaluation, for a solver process that finds the arrays in `store`.

    With `is_chunk`, the task is only for solving subproblems, and its `extended` is None.
    """
    request, measure = evaluation.request, evaluation.request.measure
    started = evaluation.started_at or evaluation.created_at
    if measure is None:
        raise ValueError(f"request {request.id} was opened without a measure")
    return EvaluationTask(
        evaluation_id=evaluation.id,
        request_id=request.id,
        store=store,
        order=request.order,
        dimension=request.reference.dimension,
        projected_from=request.reference.projected_from,
        sweep=request.sweep,
        reference_points=request.reference.size,
        seller_weighting=evaluation.seller_weighting,
        given_weights=evaluation.seller_weights,
        extends=evaluation.extends,
        extended=None if is_chunk else _extended(session, evaluation),
        leave_one_out=evaluation.leave_one_out,
        coalitions=evaluation.coalitions,
        first_permutation=evaluation.first_permutation,
        pairs=evaluation.pairs,
        permutations=evaluation.permutations,
        waited_seconds=(started - evaluation.created_at).total_seconds(),
        noise=noise_task(request),
        buyer=MeasureTask(
            digest=measure.digest,
            weighted=measure.weighted,
            rows=measure.rows,
            labelled=request.labelled,
            scores_labels=request.scores_labels,
        ),
        sellers=[seller_task(evaluation, used) for used in evaluation.contributions],
    )


def _extended(session: Session, evaluation: Evaluation) -> str | None:
    if evaluation.extends is None:
        return None
    # An extended evaluation has succeeded, so it has a result.
    result = cast("Result", result_repository.result_of(session, evaluation.extends))
    return result.document


def noise_task(request: Request) -> NoiseTask | None:
    """Return the ε and the radius of a request with noise; None for other requests."""
    if request.epsilon is None or request.radius is None:
        return None
    return NoiseTask(epsilon=request.epsilon, radius=request.radius)


def seller_task(evaluation: Evaluation, used: EvaluatedContribution) -> SellerTask:
    """Return the part of the task that describes one contribution."""
    contribution = used.contribution
    return SellerTask(
        contribution_id=contribution.id,
        account_id=contribution.account_id,
        label=contribution.label,
        mode=contribution.mode,
        points=points_of(contribution) or 0,
        projection_spread=contribution.projection_spread,
        scores_shown=visible_to_buyer(evaluation, contribution),
        may_be_compared=may_be_compared(contribution),
        copies_counted=contribution.allows_comparison,
        arrays=[
            ArrayTask(s=array.s, digest=array.digest, weighted=array.weighted)
            for array in contribution.arrays
        ],
        scalars=scalars_of(contribution),
    )

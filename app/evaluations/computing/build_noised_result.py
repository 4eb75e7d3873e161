"""Build the result of an evaluation with differential privacy."""

from collections.abc import Iterable

import rfc8785

from wassay import models as wire
from wassay.transport import GRAND_COALITION, Coalition, SolvedSubproblem, laplace_bound

from ...arrays import npy
from ...arrays.entry_validation import split_weights
from ...arrays.store import ArrayStore
from ..privacy.laplace_mechanism import release
from .process_messages import EvaluationTask, NoiseTask, SellerTask
from .software import software
from .stored_arrays import store_of

CONFIDENCE = 0.95
RELATIVE_ERROR = 4e-9
"""The largest error of a certified cost, as a share of the largest possible cost."""


def noised_document(
    task: EvaluationTask, noise: NoiseTask, solved: Iterable[SolvedSubproblem]
) -> str:
    """Return the costs of all sellers together and of each seller alone, with noise.

    For each seller, the costs that involve this seller's points spend at most ε in total.

    Returns
    -------
    str
        A `wassay.models.NoisedResult` as canonical JSON.
    """
    costs = {
        (each.subproblem.coalition, each.subproblem.s): each.point.certificate.primal
        for each in solved
    }
    largest = (2 * noise.radius) ** 2
    store = store_of(task)
    sensitivities = {
        seller.contribution_id: largest * _largest_weight(store, seller) for seller in task.sellers
    }
    weights = task.seller_weights
    is_alone = len(task.sellers) == 1
    share = noise.epsilon / (len(task.sweep) * (1 if is_alone else 2))

    def costs_of(coalition: Coalition, sensitivity: float) -> list[wire.NoisedCost]:
        return [
            _with_noise(s, costs[coalition, s], sensitivity, share, RELATIVE_ERROR * largest)
            for s in task.sweep
        ]

    grand_coalition = costs_of(
        GRAND_COALITION, max(weights[each] * sensitivities[each] for each in sensitivities)
    )
    result = wire.NoisedResult(
        evaluation_id=task.evaluation_id,
        request_id=task.request_id,
        order=2,
        sweep=task.sweep,
        buyer_points=task.buyer.rows,
        epsilon=noise.epsilon,
        radius=noise.radius,
        confidence=CONFIDENCE,
        grand_coalition=grand_coalition,
        sellers=[
            wire.NoisedSeller(
                **seller.model_dump(include={"contribution_id", "account_id", "label", "points"}),
                weight=weights[seller.contribution_id],
                singleton=grand_coalition
                if is_alone
                else costs_of(
                    Coalition("singleton", seller.contribution_id),
                    sensitivities[seller.contribution_id],
                ),
            )
            for seller in task.sellers
        ],
        software=software(),
    )
    return rfc8785.dumps(result.model_dump(mode="json")).decode()


def _with_noise(
    s: float, cost: float, sensitivity: float, epsilon: float, error: float
) -> wire.NoisedCost:
    released = release(cost, sensitivity=sensitivity, epsilon=epsilon, error=error)
    deviation = laplace_bound([released.scale], CONFIDENCE)
    return wire.NoisedCost(
        s=s,
        cost=released.value,
        scale=released.scale,
        interval=(released.value - deviation, released.value + deviation),
    )


def _largest_weight(store: ArrayStore, seller: SellerTask) -> float:
    """Return the largest weight of a seller's records, which is the same at every s."""
    array = seller.arrays[0]
    if not array.weighted:
        return 1 / seller.points
    rows = npy.memory_map(store.local_path(array.digest))
    return float(split_weights(rows, weighted=True)[1].max())

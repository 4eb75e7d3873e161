"""Evaluations whose answers carry noise: points pulled into a ball, and what is said of the costs.

With every point within R of one place, no squared distance is above (2R)². Another record in place
of one changes W_2² by at most its weight times that, for the rest of the plan can stay. Each value
that is told of a seller costs a share of ε, so that all of them together cost ε.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import rfc8785

from wassay import models as wire
from wassay.transport import GRAND_COALITION, Coalition, Measure, SolvedSubproblem, laplace_bound

from ...arrays import npy
from ...arrays.contents import split_weights
from ...arrays.store import ArrayStore
from ...contributions.modes.array_mode import SellerArrays
from ..computing.messages import EvaluationTask, NoiseTask, SellerTask
from ..computing.software import software
from ..computing.stored_arrays import store_of
from .laplace_mechanism import release

CONFIDENCE = 0.95
RELATIVE_ERROR = 4e-9
"""How far a certified cost may be from the true one, as a share of the largest possible."""


def clip_to_ball(measure: Measure, buyer: Measure, radius: float) -> Measure:
    """Pull points into a ball around the mean of the buyer's measure, and move that to the origin.

    What is within stays where it was, and distances with it. The ball does not depend on the
    seller's points; and an isometry of both measures moves it along.
    """
    points = measure.points - buyer.mean
    distances = np.linalg.norm(points, axis=1, keepdims=True)
    scale = np.divide(radius, distances, out=np.ones_like(distances), where=distances > radius)
    return Measure(points * scale, measure.weights)


def clip_arrays(arrays: SellerArrays, buyer: Measure, radius: float) -> SellerArrays:
    """Clip a seller's points at every s, as `clip_to_ball` does."""
    clipped = {s: clip_to_ball(each, buyer, radius) for s, each in arrays.measures().items()}
    return replace(arrays, entries={s: each.points for s, each in clipped.items()})


def noised_document(
    task: EvaluationTask, noise: NoiseTask, solved: Iterable[SolvedSubproblem]
) -> str:
    """Add noise to the costs of all sellers together and of each alone, and tell nothing else.

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
    one_record = {
        seller.contribution_id: largest * _largest_weight(store, seller) for seller in task.sellers
    }
    weights = task.seller_weights
    is_alone = len(task.sellers) == 1
    share = noise.epsilon / (len(task.sweep) * (1 if is_alone else 2))

    def told(coalition: Coalition, sensitivity: float) -> list[wire.NoisedCost]:
        return [
            _told(s, costs[coalition, s], sensitivity, share, RELATIVE_ERROR * largest)
            for s in task.sweep
        ]

    together = told(GRAND_COALITION, max(weights[each] * one_record[each] for each in one_record))
    result = wire.NoisedResult(
        evaluation_id=task.evaluation_id,
        request_id=task.request_id,
        order=2,
        sweep=task.sweep,
        buyer_points=task.buyer.rows,
        epsilon=noise.epsilon,
        radius=noise.radius,
        confidence=CONFIDENCE,
        together=together,
        sellers=[
            wire.NoisedSeller(
                **seller.model_dump(include={"contribution_id", "account_id", "label", "points"}),
                weight=weights[seller.contribution_id],
                alone=together
                if is_alone
                else told(
                    Coalition("singleton", seller.contribution_id),
                    one_record[seller.contribution_id],
                ),
            )
            for seller in task.sellers
        ],
        software=software(),
    )
    return rfc8785.dumps(result.model_dump(mode="json")).decode()


def _told(
    s: float, cost: float, sensitivity: float, epsilon: float, error: float
) -> wire.NoisedCost:
    released = release(cost, sensitivity=sensitivity, epsilon=epsilon, error=error)
    stray = laplace_bound([released.scale], CONFIDENCE)
    return wire.NoisedCost(
        s=s,
        cost=released.value,
        scale=released.scale,
        interval=(released.value - stray, released.value + stray),
    )


def _largest_weight(store: ArrayStore, seller: SellerTask) -> float:
    """Return the largest share of a seller's mass that one record carries; the same at every s."""
    array = seller.arrays[0]
    if not array.weighted:
        return 1 / seller.points
    rows = npy.memory_map(store.local_path(array.digest))
    return float(split_weights(rows, weighted=True)[1].max())

"""Resample sellers: solve distances between random parts of the buyer's and a seller's points.

These distances show how large a distance can be by chance alone.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict

from wassay import models as wire
from wassay.modes import MODES
from wassay.transport import Coalition, Subproblem, resample
from wassay.transport.market.part_sizes import part_size

from ...arrays.store import ArrayStore
from .process_messages import EvaluationTask, SellerTask
from .stored_arrays import read_arrays, read_buyer

TOO_FEW_POINTS = (
    "Cannot tell: to be divided into parts, each side needs at least 20 points of even weight."
)
SEVERAL_REFERENCE_POINTS = (
    "Cannot tell: with several reference points, chance also moves the pushed points. Ask with a "
    "reference of one point."
)
NO_POINTS = (
    "Cannot tell: this seller sent no points, so the service cannot compare parts of them. Ask for "
    "the mode measure."
)


def resampling_subproblems(task: EvaluationTask) -> list[Subproblem]:
    """Return a subproblem for each seller whose points can be compared in random parts.

    The list is empty if the evaluation extends another, or if results carry noise.
    """
    # An extended evaluation has these distances already. With noise, they must stay hidden.
    if task.noise is not None or task.extends is not None:
        return []
    return [
        Subproblem(Coalition("resampling", seller.contribution_id), min(task.sweep))
        for seller in task.sellers
        if reason_against(task, seller) is None
    ]


def reason_against(task: EvaluationTask, seller: SellerTask) -> str | None:
    """Return why a seller's points cannot be compared in random parts; None if they can."""
    if not MODES[seller.mode].sends_points:
        return NO_POINTS
    return None if task.reference_points == 1 else SEVERAL_REFERENCE_POINTS


def resample_seller(
    store: ArrayStore, task: EvaluationTask, contribution_id: str, progress: Callable[[], None]
) -> wire.ResampledDistances | None:
    """Solve the distances between random parts of the buyer's points and of one seller's points.

    `progress` is called after each solved distance.

    Returns
    -------
    ResampledDistances or None
        None if the buyer or the seller has too few points to be divided into parts.
    """
    (seller,) = (each for each in task.sellers if each.contribution_id == contribution_id)
    if not part_size(task.buyer.rows, seller.points):
        return None  # too few points, whatever their weights
    arrays = read_arrays(store, seller, labelled=task.buyer.labelled)
    digests = [task.buyer.digest, *(array.digest for array in seller.arrays)]
    # Equal arrays give equal parts, so that repeated evaluations do not average over draws.
    seed = int.from_bytes(hashlib.sha256("".join(digests).encode()).digest()[:16])
    buyer = read_buyer(store, task.buyer)
    resampled = resample(buyer, arrays.measures(), seed, progress)
    return None if resampled is None else wire.ResampledDistances(**asdict(resampled))

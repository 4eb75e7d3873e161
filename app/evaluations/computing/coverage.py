"""Count how many of the buyer's points have sellers' points near them."""

import hashlib

from wassay import models as wire
from wassay.transport import swept_coverage

from .process_messages import EvaluationTask
from .resampling import reason_against
from .stored_arrays import read_arrays, read_buyer, store_of


def cover(task: EvaluationTask) -> wire.SweptCoverage | None:
    """Return the coverage of the buyer's points by each seller and by groups of sellers.

    Return None if the reference has several points. Also if the buyer has too few points, or no
    seller sends enough (see `swept_coverage`).
    """
    # A push towards several points does not change all distances by one factor.
    sellers = [each for each in task.sellers if reason_against(task, each) is None]
    if not sellers:
        return None
    store = store_of(task)
    pushed = {
        each.contribution_id: read_arrays(store, each, labelled=task.buyer.labelled).measures()
        for each in sellers
    }
    seed = int.from_bytes(hashlib.sha256(task.buyer.digest.encode()).digest()[:16])
    found = swept_coverage(read_buyer(store, task.buyer), pushed, seed)
    if found is None:
        return None
    return wire.SweptCoverage(
        sweep=list(found.sweep),
        examined=found.examined,
        groups=[
            wire.GroupCoverage(
                contribution_ids=list(group), shares=list(shares), expected=found.expected[group]
            )
            for group, shares in found.shares.items()
        ],
    )

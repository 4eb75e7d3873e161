"""Score the labels of the sellers' points by the labels of the buyer's points."""

from wassay import transport

from ...arrays import npy
from .process_messages import ComputedScores, EvaluationTask, ScoreKind
from .stored_arrays import read_arrays, read_buyer, read_buyer_classes, store_of

METHOD = "nearest-neighbours"


def score_labels(task: EvaluationTask) -> list[ComputedScores]:
    """Score the sellers' labels at many s between the ends of the sweep, and store the scores.

    Returns
    -------
    list of ComputedScores
        Where each seller's scores are: one of the kind `swept-labels` at each s, and one of the
        kind `labels`. Empty if the service does not score labels.
    """
    if not task.buyer.scores_labels:
        return []
    store = store_of(task)
    buyer, classes = read_buyer(store, task.buyer), read_buyer_classes(store, task.buyer)
    scored = []
    for seller in task.sellers:
        # Other sellers' points are not used, so the scores disclose nothing about them.
        arrays = read_arrays(store, seller, labelled=True)
        swept = transport.swept_label_scores(buyer, classes, arrays.measures(), arrays.classes())
        digests = {s: store.put_bytes(npy.to_bytes(v[:, None])) for s, v in swept.by_s.items()}
        # At this s, the mean of the seller's points is nearest to the mean of the buyer's.
        nearest = {swept.nearest: digests[swept.nearest]}
        kinds: dict[ScoreKind, dict[float, str]] = {"labels": nearest, "swept-labels": digests}
        scored += [
            ComputedScores(
                contribution_id=seller.contribution_id, kind=kind, s=s, method=METHOD, digest=digest
            )
            for kind, digest_by_s in kinds.items()
            for s, digest in digest_by_s.items()
        ]
    return scored

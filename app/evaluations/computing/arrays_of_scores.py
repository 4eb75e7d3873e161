"""Store computed scores: each party's in an array of its own."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import wait

import numpy as np

from wassay.transport import PartyScores, Scores

from ...arrays import npy
from ...arrays.store import ArrayStore
from .process_messages import ComputedScores
from .stored_arrays import store_threads


def store_scores(
    scores_by_s: Sequence[tuple[float, PartyScores]], store: ArrayStore
) -> list[ComputedScores]:
    """Store each party's scores in an array of the party's own, and return where they are.

    `scores_by_s` are pairs of an s and the scores at this s.
    """
    # Each party has an array of its own, so that its scores can be deleted.
    parties: defaultdict[str | None, dict[float, Scores]] = defaultdict(dict)
    for s, scored in scores_by_s:
        parties[None][s] = scored.buyer
        for contribution_id, scores in scored.sellers.items():
            parties[contribution_id][s] = scores

    def store_one(contribution_id: str | None, by_s: dict[float, Scores]) -> list[ComputedScores]:
        columns = [column for each in by_s.values() for column in (each.values, each.spread)]
        digest = store.put_bytes(npy.to_bytes(np.column_stack(columns)))
        return [
            ComputedScores(
                contribution_id=contribution_id,
                s=s,
                method=scores.method,
                digest=digest,
                first_column=2 * number,
            )
            for number, (s, scores) in enumerate(by_s.items())
        ]

    # Several threads store arrays, because most of the time is spent waiting for the disk.
    storing = [store_threads().submit(store_one, *party) for party in parties.items()]
    wait(storing)  # because after an error this process may be killed, which leaves files behind
    return [scores for each in storing for scores in each.result()]

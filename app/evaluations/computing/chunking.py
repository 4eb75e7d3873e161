"""Cut an evaluation into chunks that take seconds, so that workers can share them."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from wassay.transport import Subproblem
from wassay.transport.market.part_sizes import estimated_point_pairs

from .rates import (
    SECONDS_PER_CARRIED_PAIR,
    SECONDS_PER_PAIR,
    SECONDS_PER_PART_PAIR,
    SECONDS_PER_SCORED_PAIR,
)

MIN_CUT_SECONDS = 1.0
"""Shorter evaluations are not cut, because each chunk adds tens of milliseconds."""
CHUNK_SECONDS = 2.0
FIRST_CHUNK_FACTOR = 2.0
"""How many times as long as the grand coalition the first chunk may be estimated to take.

In the same chunk as the grand coalition, leave-one-out coalitions take only a small part of their
estimated time.
"""
MAX_CHUNKS = 200
"""The approximate limit on the number of chunks. Longer evaluations have longer chunks."""


def estimated_seconds(
    subproblems: Sequence[Subproblem],
    seller_points: Mapping[str, int],
    buyer_points: int,
    *,
    one_coupling: bool,
) -> list[float]:
    """Estimate roughly how many seconds each subproblem takes.

    `seller_points` are the numbers of the sellers' points, keyed by the contribution's id.

    With `one_coupling`, the plan that is optimal at one s is optimal at every s (because the
    reference has one point, and p = 2). So each coalition is solved only at the first s.
    """
    seconds, known = [], set()
    for subproblem in subproblems:
        coalition = subproblem.coalition
        if coalition.kind == "resampling" and coalition.contribution_id is not None:
            pairs = estimated_point_pairs(seller_points[coalition.contribution_id], buyer_points)
            seconds.append(pairs * SECONDS_PER_PART_PAIR)
            continue
        pairs = coalition.size(seller_points) * buyer_points
        if coalition.kind == "pair":
            pairs = math.prod(seller_points[member] for member in coalition.members)
        if one_coupling and coalition in known:
            seconds.append(pairs * SECONDS_PER_CARRIED_PAIR)
        elif coalition.kind == "grand":
            seconds.append(pairs * SECONDS_PER_SCORED_PAIR)
        else:
            seconds.append(pairs * SECONDS_PER_PAIR)
        known.add(coalition)
    return seconds


def leading(subproblems: Sequence[Subproblem]) -> int:
    """Return how many of the first subproblems solve the grand or leave-one-out coalitions.

    0 if the very first does not solve the grand coalition.
    """
    kinds = [each.coalition.kind for each in subproblems]
    if "grand" not in kinds[:1]:
        return 0
    others = (index for index, kind in enumerate(kinds) if kind not in {"grand", "leave-one-out"})
    return next(others, len(kinds))


def cut(seconds: Sequence[float], inseparable: int = 1, leading: int = 0) -> list[range]:
    """Cut subproblems into chunks of neighbours that take at most about `CHUNK_SECONDS` each.

    If that would make more than about `MAX_CHUNKS` chunks, each chunk takes longer.

    Parameters
    ----------
    seconds : sequence of float
        The estimated time of each subproblem.
    inseparable : int
        How many neighbouring subproblems form a block. No block is divided, however long it takes.
    leading : int
        How many of the first subproblems solve the grand or leave-one-out coalitions. While the
        first chunk has only these, it may take `FIRST_CHUNK_FACTOR` times as long as the first
        block.

    Returns
    -------
    list of range
        The indices of each chunk's subproblems. A short evaluation has a single chunk.
    """
    total = sum(seconds)
    if total < MIN_CUT_SECONDS:
        return [range(len(seconds))]
    limit = max(CHUNK_SECONDS, total / MAX_CHUNKS)
    starts, chunk_seconds = [0], 0.0
    for index in range(0, len(seconds), inseparable):
        block_seconds = sum(seconds[index : index + inseparable])
        is_first = starts == [0] and index < leading
        longest = max(limit, FIRST_CHUNK_FACTOR * sum(seconds[:inseparable])) if is_first else limit
        if index > starts[-1] and chunk_seconds + block_seconds > longest:
            starts.append(index)
            chunk_seconds = 0.0
        chunk_seconds += block_seconds
    return [range(first, stop) for first, stop in pairwise([*starts, len(seconds)])]

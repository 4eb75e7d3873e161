"""Cut an evaluation into chunks that take seconds, so that workers can share them."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from wassay.transport import Coalition, Subproblem

from .rates import CoalitionSizes, seconds_of_parts

CHUNKS = 3
"""The fewest chunks that are worth sharing: an evaluation is cut into at least about so many."""
SHARED_FACTOR = 2.0
"""A chunk may take this many times as long as the work that all its problems share."""
MAX_CHUNKS = 200
"""The approximate limit on the number of chunks. Longer evaluations have longer chunks."""


def estimated_seconds(
    subproblems: Sequence[Subproblem],
    seller_points: Mapping[str, int],
    buyer_points: int,
    dimension: int,
    *,
    one_coupling: bool,
) -> list[float]:
    """Estimate roughly how many processor seconds each subproblem takes.

    `seller_points` are the sellers' numbers of points, keyed by the contribution's id. With
    `one_coupling`, a coalition has the same optimal plan at every s, so only its first s takes
    long.
    """
    seconds, known = [], set()
    for subproblem in subproblems:
        coalition = subproblem.coalition
        if coalition.kind == "resampling" and coalition.contribution_id is not None:
            own = seller_points[coalition.contribution_id]
            seconds.append(seconds_of_parts(own, buyer_points))
            continue
        sizes = _sizes(coalition, seller_points, buyer_points, dimension)
        carried = one_coupling and coalition in known
        scored = coalition.kind == "grand"
        seconds.append(sizes.seconds(scored=scored, carried=carried))
        known.add(coalition)
    return seconds


def _sizes(
    coalition: Coalition, seller_points: Mapping[str, int], buyer_points: int, dimension: int
) -> CoalitionSizes:
    if coalition.kind == "pair":
        one, other = (seller_points[member] for member in coalition.members)
        return CoalitionSizes(1, one, other, dimension)
    sellers = {
        "singleton": 1,
        "leave-one-out": len(seller_points) - 1,
        "coalition": len(coalition.members),
    }.get(coalition.kind, len(seller_points))
    points = coalition.size(seller_points)
    is_batched = 1 < sellers < len(seller_points) and 2 * points > sum(seller_points.values())
    return CoalitionSizes(sellers, points, buyer_points, dimension, is_batched)


def count_leading(subproblems: Sequence[Subproblem]) -> int:
    """Count the subproblems at the start that are of the grand or a leave-one-out coalition.

    Return 0 if the first subproblem is not of the grand coalition.
    """
    kinds = [each.coalition.kind for each in subproblems]
    if "grand" not in kinds[:1]:
        return 0
    others = (index for index, kind in enumerate(kinds) if kind not in {"grand", "leave-one-out"})
    return next(others, len(kinds))


def cut(
    seconds: Sequence[float],
    cut_seconds: float,
    inseparable: int = 1,
    leading: int = 0,
    shared: float = 0.0,
) -> list[range]:
    """Cut an evaluation into chunks of successive subproblems, if it takes over `cut_seconds`.

    A chunk takes at most about a third of `cut_seconds`. If this would give more than `MAX_CHUNKS`
    chunks, each takes longer, so that there are about `MAX_CHUNKS`.

    Parameters
    ----------
    seconds : sequence of float
        The estimated seconds of each subproblem.
    cut_seconds : float
        The seconds that an evaluation may take without being cut.
    inseparable : int
        How many successive subproblems form a block. No block is divided.
    leading : int
        How many subproblems at the start are solved as batches (`count_leading`). Each chunk that
        has any of them also solves one block from scratch. Such a chunk may take `SHARED_FACTOR`
        times as long as that block.
    shared : float
        The seconds to solve that block. They are added to each such chunk but the first, whose
        `seconds` include them.

    Returns
    -------
    list of range
        The indices of each chunk's subproblems. A short evaluation has a single chunk.
    """
    total = sum(seconds)
    if total <= cut_seconds:
        return [range(len(seconds))]
    limit = max(cut_seconds / CHUNKS, total / MAX_CHUNKS)
    # In the first chunk, the shared work is the first block.
    starts, chunk_seconds, own_shared = [0], 0.0, sum(seconds[:inseparable])
    for index in range(0, len(seconds), inseparable):
        block_seconds = sum(seconds[index : index + inseparable])
        longest = max(limit, SHARED_FACTOR * own_shared) if index < leading else limit
        if index > starts[-1] and chunk_seconds + block_seconds > longest:
            starts.append(index)
            own_shared = shared
            chunk_seconds = shared if index < leading else 0.0
        chunk_seconds += block_seconds
    return [range(first, stop) for first, stop in pairwise([*starts, len(seconds)])]

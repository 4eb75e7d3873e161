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

    With `one_coupling`, each coalition has one optimal plan, which serves at every s.
    """
    seconds, known = [], set()
    for subproblem in subproblems:
        coalition = subproblem.coalition
        if coalition.kind == "resampling" and coalition.contribution_id is not None:
            own = seller_points[coalition.contribution_id]
            seconds.append(seconds_of_parts(own, buyer_points))
            continue
        sizes = _sizes(coalition, seller_points, buyer_points, dimension)
        # The first s of the coalition finds the plan.
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

    Parameters
    ----------
    seconds : sequence of float
        The estimated seconds of each subproblem.
    cut_seconds : float
        The seconds that an evaluation may take without being cut.
    inseparable : int
        How many successive subproblems form a block. No block is divided.
    leading : int
        How many subproblems at the start are solved as batches (`count_leading`).
    shared : float
        The estimated seconds of the extra block that each chunk with leading subproblems solves.

    Returns
    -------
    list of range
        The indices of each chunk's subproblems. A short evaluation has a single chunk.
    """
    total = sum(seconds)
    if total <= cut_seconds:
        return [range(len(seconds))]
    # Chunks take a third of `cut_seconds`, or longer to be at most about `MAX_CHUNKS`.
    limit = max(cut_seconds / CHUNKS, total / MAX_CHUNKS)
    # In the first chunk, the extra block is the chunk's own first block.
    starts, chunk_seconds, own_shared = [0], 0.0, sum(seconds[:inseparable])
    for index in range(0, len(seconds), inseparable):
        block_seconds = sum(seconds[index : index + inseparable])
        # A chunk may take `SHARED_FACTOR` times as long as its extra block.
        longest = max(limit, SHARED_FACTOR * own_shared) if index < leading else limit
        if index > starts[-1] and chunk_seconds + block_seconds > longest:
            starts.append(index)
            own_shared = shared
            chunk_seconds = shared if index < leading else 0.0
        chunk_seconds += block_seconds
    return [range(first, stop) for first, stop in pairwise([*starts, len(seconds)])]

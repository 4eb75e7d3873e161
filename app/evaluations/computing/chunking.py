"""How an evaluation is cut into chunks that take seconds, so that workers can share them."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from wassay.transport import Subproblem

SECONDS_PER_PAIR = 6e-8
"""What one pair of points costs in a solve of a million pairs or more, roughly, on one core.

Measured: 3e-8 to 8e-8 in 3 to 50 dimensions; below half a million pairs up to 2e-7.
"""
SECONDS_PER_SCORED_PAIR = 4e-7
"""The same, where the points are scored as well; 1e-7 where landmarks score them."""
SECONDS_PER_CARRIED_PAIR = 1e-8
"""The same, where the plan is known from another s and is only proven, and scores follow."""
WHOLE_SECONDS = 1.0
"""An evaluation that takes less is not cut: a chunk costs some tens of milliseconds by itself."""
CHUNK_SECONDS = 2.0
MOST_CHUNKS = 200
"""Beyond about so many, the chunks of an evaluation get longer, not more."""


def estimated_seconds(
    problems: Sequence[Subproblem],
    seller_points: Mapping[str, int],
    buyer_points: int,
    *,
    one_plan: bool,
) -> list[float]:
    """Estimate how long each problem takes, to within some factor.

    Where a coalition has one plan for every s (a reference of one point, and p = 2), it is solved
    once.
    """
    seconds, known = [], set()
    for problem in problems:
        coalition = problem.coalition
        pairs = coalition.size(seller_points) * buyer_points
        if coalition.kind == "pair":
            pairs = math.prod(seller_points[member] for member in coalition.members)
        if one_plan and coalition in known:
            seconds.append(pairs * SECONDS_PER_CARRIED_PAIR)
        elif coalition.kind == "grand":
            seconds.append(pairs * SECONDS_PER_SCORED_PAIR)
        else:
            seconds.append(pairs * SECONDS_PER_PAIR)
        known.add(coalition)
    return seconds


def cut(seconds: Sequence[float], inseparable: int = 1) -> list[range]:
    """Cut problems into runs of neighbours that take about `CHUNK_SECONDS` each, by estimate.

    Parameters
    ----------
    seconds : sequence of float
        That each takes.
    inseparable : int
        So many neighbours, always, are in one run.

    Returns
    -------
    list of range
        The places of each chunk's problems; one range of all for a small evaluation.
    """
    total = sum(seconds)
    if total < WHOLE_SECONDS:
        return [range(len(seconds))]
    most = max(CHUNK_SECONDS, total / MOST_CHUNKS)
    starts, held = [0], 0.0
    for place in range(0, len(seconds), inseparable):
        needed = sum(seconds[place : place + inseparable])
        if place > starts[-1] and held + needed > most:
            starts.append(place)
            held = 0.0
        held += needed
    return [range(first, stop) for first, stop in pairwise([*starts, len(seconds)])]

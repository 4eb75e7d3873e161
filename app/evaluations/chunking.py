"""How an evaluation is cut into chunks that take seconds, so that workers can share them."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from wassay.transport import Solve

SECONDS_PER_PAIR = 6e-8
"""What one pair of points costs in a solve of a million pairs or more, roughly, on one core.

Measured: 3e-8 to 8e-8 in 3 to 50 dimensions; below half a million pairs up to 2e-7.
"""
SECONDS_PER_SCORED_PAIR = 4e-7
"""The same, where the points are scored as well; 1e-7 where landmarks score them."""
WHOLE_SECONDS = 1.0
"""An evaluation that takes less is not cut: a chunk costs some tens of milliseconds by itself."""
CHUNK_SECONDS = 2.0
MOST_CHUNKS = 200
"""Beyond about so many, the chunks of an evaluation get longer, not more."""


def estimated_seconds(
    problems: Sequence[Solve], seller_points: Mapping[str, int], buyer_points: int
) -> list[float]:
    """Estimate how long each problem takes, to within some factor."""
    return [
        problem.group.size(seller_points)
        * buyer_points
        * (SECONDS_PER_SCORED_PAIR if problem.group.kind == "together" else SECONDS_PER_PAIR)
        for problem in problems
    ]


def cut(seconds: Sequence[float]) -> list[range]:
    """Cut problems into runs of neighbours that take about `CHUNK_SECONDS` each, by estimate.

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
    for place, needed in enumerate(seconds):
        if place > starts[-1] and held + needed > most:
            starts.append(place)
            held = 0.0
        held += needed
    return [range(first, stop) for first, stop in pairwise([*starts, len(seconds)])]

"""Estimate what an evaluation costs before it runs, from recent evaluations or constant rates."""

import math
from dataclasses import dataclass
from itertools import combinations

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.modes import MODES
from wassay.transport.market.part_sizes import estimated_point_pairs

from ..contributions.presentation import points_of
from ..jobs.worker_registry import living_workers
from ..requests.models import Request
from ..settings import Settings
from .computing.rates import CoalitionSizes, seconds_of_parts
from .models import Evaluation
from .privacy.score_visibility import may_be_compared
from .problems import EvaluationTooLarge
from .recent_speed import recent_seconds

BYTES_PER_PAIR = 4
"""Bytes of stored costs per pair of points.

All stored costs take at most a quarter of the memory that a solver process may use.
"""
UNCERTAINTY = 2.0
"""A long evaluation is refused if its estimated time exceeds the limit by more than this factor."""


@dataclass(frozen=True)
class SolveLimits:
    """The memory and the time that a solver process may take for one evaluation or chunk."""

    memory_bytes: int
    seconds: float

    @classmethod
    def of(cls, settings: Settings) -> "SolveLimits":
        """Return the limits that the settings set."""
        return cls(settings.solve_memory_bytes, settings.solve_seconds)


@dataclass(frozen=True)
class _Block:
    """Work that one process does in one piece, usually the subproblems of one coalition.

    `problems` is the number of transport problems, `pairs` the number of pairs of points in each,
    and `seconds` the processor seconds of all problems together.
    """

    problems: int
    pairs: int
    seconds: float


def cost_of(session: Session, evaluation: Evaluation, limits: SolveLimits) -> wire.EvaluationCost:
    """Estimate the number of an evaluation's transport problems, its time and its memory."""
    blocks = _blocks(evaluation)
    seconds = sum(block.seconds for block in blocks)
    longest = max((block.seconds for block in blocks), default=0.0)
    largest = max((block.pairs for block in blocks), default=0)
    arrays = _array_bytes(evaluation)
    slots = sum(
        worker.concurrency
        for worker in living_workers(session)
        if worker.fault is None and not worker.is_silent
    )
    recent = recent_seconds(session, seconds) if slots else None
    by_rates = max(longest, seconds / slots) if slots else None
    return wire.EvaluationCost(
        problems=sum(block.problems for block in blocks),
        processor_seconds=seconds,
        seconds=by_rates if recent is None else recent,
        seconds_from="constant-rates" if recent is None else "recent-evaluations",
        memory_bytes=arrays + min(BYTES_PER_PAIR * largest, limits.memory_bytes // 4),
        memory_limit_bytes=limits.memory_bytes,
        process_seconds=longest,
        process_seconds_limit=limits.seconds,
        too_large=_reason_too_large(evaluation, arrays, longest, limits),
    )


def require_affordable(evaluation: Evaluation, limits: SolveLimits) -> float:
    """Raise if an evaluation would certainly exceed what a solver process may take.

    Returns
    -------
    float
        The evaluation's processor seconds, estimated from constant rates (`computing.rates`).

    Raises
    ------
    EvaluationTooLarge
        If the arrays exceed the memory limit, or one block of work takes more than `UNCERTAINTY`
        times the time limit.
    """
    seconds = [block.seconds for block in _blocks(evaluation)]
    longest = max(seconds, default=0.0)
    reason = _reason_too_large(evaluation, _array_bytes(evaluation), longest, limits)
    if reason is not None:
        raise EvaluationTooLarge(
            reason,
            expected={"memory_bytes": limits.memory_bytes, "seconds": limits.seconds},
            received={"memory_bytes": _array_bytes(evaluation), "seconds": round(longest)},
        )
    return sum(seconds)


def _reason_too_large(
    evaluation: Evaluation, arrays: int, longest: float, limits: SolveLimits
) -> str | None:
    """Return why an evaluation is too large and which size would fit; None if it fits.

    `arrays` is the size of the arrays in bytes, and `longest` the seconds of the longest block of
    work.
    """
    share = min(
        limits.memory_bytes / arrays if arrays else math.inf,
        math.sqrt(UNCERTAINTY * limits.seconds / longest) if longest else math.inf,
    )
    if share >= 1:
        return None
    buyer = evaluation.request.measure
    rows = 0 if buyer is None else int(share * buyer.rows)
    offered = int(share * sum(_points(evaluation)))
    return (
        f"A solver process of this service may take {limits.memory_bytes / 2**30:.3g} GiB and "
        f"{limits.seconds:g} s. This evaluation has arrays of {arrays / 2**30:.3g} GiB, and its "
        f"largest problem takes about {longest:.3g} processor seconds. About {rows:,} of your "
        f"points and {offered:,} of all sellers' points would fit. Use a sample of the points on "
        "both sides, or evaluate fewer contributions at a time."
    )


def _points(evaluation: Evaluation) -> list[int]:
    return [points_of(used.contribution) or 0 for used in evaluation.contributions]


def _array_bytes(evaluation: Evaluation) -> int:
    measure = evaluation.request.measure
    arrays = [array for used in evaluation.contributions for array in used.contribution.arrays]
    return sum(array.bytes for array in arrays) + (0 if measure is None else measure.bytes)


def _blocks(evaluation: Evaluation) -> list[_Block]:
    """Return the blocks of work to solve coalitions, pairs and random parts of points."""
    request = evaluation.request
    used = [each.contribution for each in evaluation.contributions]
    if request.measure is None or not used[0].terms.is_verified:
        return []  # sellers upload solved scalars, so there is nothing to solve
    buyer, dimension = request.measure.rows, request.reference.dimension
    points = {each.id: points_of(each) or 0 for each in used}
    total = sum(points.values())
    blocks = []
    if evaluation.extends is None:
        everyone = CoalitionSizes(len(points), total, buyer, dimension)
        blocks += _curve_blocks(request, everyone, scored=True)
    for members in _unscored_coalitions(evaluation, frozenset(points)):
        own = sum(points[name] for name in members)
        is_batched = len(members) > 1 and 2 * own > total
        sizes = CoalitionSizes(len(members), own, buyer, dimension, is_batched)
        blocks += _curve_blocks(request, sizes)
    # Each coalition of a permutation is a prefix, which has half of the points on average.
    half = CoalitionSizes(len(points) // 2, total // 2, buyer, dimension)
    for _ in range(evaluation.permutations * max(len(points) - 3, 0)):
        blocks += _curve_blocks(request, half)
    if evaluation.pairs:
        compared = [points[each.id] for each in used if may_be_compared(each)]
        pairs = [CoalitionSizes(1, a, b, dimension) for a, b in combinations(compared, 2)]
        blocks += [_Block(1, each.pairs, each.seconds()) for each in pairs]
    if evaluation.extends is None and request.epsilon is None and request.reference.size == 1:
        sizes_of_parts = [points[each.id] for each in used if MODES[each.mode].sends_points]
        blocks += [
            _Block(1, estimated_point_pairs(size, buyer), seconds_of_parts(size, buyer))
            for size in sizes_of_parts
        ]
    return blocks


def _unscored_coalitions(evaluation: Evaluation, everyone: frozenset[str]) -> set[frozenset[str]]:
    """Return the default and requested coalitions that are solved without scores, as sets of ids.

    `everyone` are the ids of all contributions.
    """
    requested = {frozenset(each) for each in evaluation.coalitions}
    alone = {frozenset([name]) for name in everyone}
    without_one = {everyone - each for each in alone} if evaluation.leave_one_out else set()
    by_default = alone | without_one
    # An extended evaluation has solved the default coalitions already.
    unscored = requested | by_default if evaluation.extends is None else requested - by_default
    # The grand coalition, `everyone`, is solved with scores.
    return unscored - {everyone, frozenset()}


def _curve_blocks(request: Request, sizes: CoalitionSizes, *, scored: bool = False) -> list[_Block]:
    """Return the blocks of work to solve a coalition of these `sizes` at every s of the sweep.

    If `scored`, include the work to score the coalition's points.
    """
    sweep = len(set(request.sweep))
    once = sizes.seconds(scored=scored)
    # The plan that is optimal at one s is optimal at every s, so only one s is solved from scratch.
    if request.order == 2 and request.reference.size == 1:
        carried = (sweep - 1) * sizes.seconds(scored=scored, carried=True)
        return [_Block(sweep, sizes.pairs, once + carried)]
    return [_Block(1, sizes.pairs, once)] * sweep

"""The functions that solver processes call: compute an evaluation or a chunk, or build a result."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby

from wassay import transport
from wassay.models import ResampledDistances
from wassay.transport import (
    Market,
    Measure,
    PartyScores,
    SellerCosts,
    SolvedSubproblem,
    Subproblem,
    solve_pair,
)
from wassay.transport.thread_pool import SINGLE_THREADED_BLAS

from ...arrays.store import ArrayStore
from ...contributions.modes.registry import array_mode_of
from ...jobs.handlers import Json, ProgressCallback
from ...jobs.memory import require_memory
from ...jobs.process_spans import process_span
from ..privacy.clipping import clip_arrays, clip_to_ball
from ..problems import NotCertified, NotSolvable
from .arrays_of_scores import store_scores
from .build_result import build_result, build_scalar_result, serialize
from .chunking import count_leading, cut, estimated_seconds
from .process_messages import (
    AssemblyTask,
    ChunkOutput,
    ChunkTask,
    ComputeTask,
    EvaluationCut,
    EvaluationTask,
    SellerTask,
)
from .rates import CoalitionSizes
from .resampling import resample_seller, resampling_subproblems
from .stored_arrays import (
    local_files,
    read_arrays,
    read_buyer,
    small_arrays_in_memory,
    store_of,
)


def compute(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Compute an evaluation, or only cut it into chunks if computing would take long.

    Parameters
    ----------
    arguments
        A `ComputeTask`.
    on_progress
        Called with the number of solved subproblems and the number of all subproblems.

    Returns
    -------
    Json
        An `EvaluationOutput`, or an `EvaluationCut` with the chunks to compute instead.

    Raises
    ------
    NotCertified
        If a distance without noise could not be certified.
    NotSolvable
        If the arrays do not fit together or, with noise, if a distance could not be certified.
    OutOfMemory
        If the arrays alone exceed the memory limit of this process.
    """
    message = ComputeTask.model_validate(arguments)
    task = message.evaluation
    if task.is_scalar:
        with as_problems(task):
            return build_scalar_result(task).model_dump()
    chunks = chunks_of(task, message.cut_seconds)
    if len(chunks) > 1:
        return EvaluationCut(bounds=[(each.start, each.stop) for each in chunks]).model_dump()
    began = time.monotonic()
    # Limit BLAS to one thread once, around all solves: once for each of many tiny ones takes long.
    with as_problems(task), small_arrays_in_memory(), SINGLE_THREADED_BLAS:
        output = solve_chunk(task, chunks[0], on_progress)
        return build_result(task, [output], time.monotonic() - began).model_dump()


def compute_chunk(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Compute a `ChunkTask`, which `arguments` holds, and return its `ChunkOutput`.

    Raise `NotCertified`, `NotSolvable` or `OutOfMemory` for the reasons given in `compute`.
    """
    task = ChunkTask.model_validate(arguments)
    with as_problems(task.evaluation), small_arrays_in_memory():
        output = solve_chunk(task.evaluation, range(task.first, task.stop), on_progress)
    return output.model_dump()


def assemble(arguments: Json, on_progress: ProgressCallback) -> Json:
    """Build an evaluation's result from its chunks: an `EvaluationOutput` from an `AssemblyTask`.

    Raise `NotCertified` or `NotSolvable` for the reasons given in `compute`.
    """
    del on_progress
    task = AssemblyTask.model_validate(arguments)
    with as_problems(task.evaluation), small_arrays_in_memory():
        local_files(task.evaluation, store_of(task.evaluation))
        return build_result(task.evaluation, task.chunks, task.solving_seconds).model_dump()


def chunks_of(task: EvaluationTask, cut_seconds: float) -> list[range]:
    """Cut a task into chunks: ranges of indices in `subproblems_of(task)`.

    A task that is estimated to take at most `cut_seconds` has one chunk.
    """
    points = {seller.contribution_id: seller.points for seller in task.sellers}
    one_coupling = task.order == 2 and task.reference_points == 1
    subproblems = subproblems_of(task)
    seconds = estimated_seconds(
        subproblems, points, task.buyer.rows, task.dimension, one_coupling=one_coupling
    )
    all_points = CoalitionSizes(len(points), sum(points.values()), task.buyer.rows, task.dimension)
    return cut(
        seconds,
        cut_seconds,
        inseparable=len(set(task.sweep)) if one_coupling else 1,
        leading=count_leading(subproblems),
        shared=all_points.seconds(),
    )


def subproblems_of(task: EvaluationTask) -> tuple[Subproblem, ...]:
    """Return a task's subproblems in a fixed order.

    For an extension, return only requested pairs, and requested coalitions not solved by default.
    """
    names = [seller.contribution_id for seller in task.sellers]
    coalitions = [
        *task.coalitions,
        *transport.sampled_coalitions(names, task.permutations, task.first_permutation),
    ]
    solves = transport.subproblems(names, task.sweep, coalitions, leave_one_out=task.leave_one_out)
    if task.extends is not None:
        compared = [seller.contribution_id for seller in task.sellers if seller.may_be_compared]
        pairs = transport.pair_subproblems(compared, min(task.sweep)) if task.pairs else ()
        further = {"coalition"} if task.leave_one_out else {"coalition", "leave-one-out"}
        return (*(solve for solve in solves if solve.coalition.kind in further), *pairs)
    return (*solves, *resampling_subproblems(task))


def solve_chunk(task: EvaluationTask, indices: range, on_progress: ProgressCallback) -> ChunkOutput:
    """Solve a task's subproblems at these `indices`, and store the scores of their points.

    Raises
    ------
    OutOfMemory
        If the arrays alone exceed the memory limit of this process.
    """
    store = store_of(task)
    with process_span("fetch arrays"):
        require_memory(sum(file.stat().st_size for file in local_files(task, store)))
    with process_span("read arrays"):
        market = market_of(task, store)
    solved: list[SolvedSubproblem] = []
    scores: list[tuple[float, PartyScores]] = []
    resampled: dict[str, ResampledDistances | None] = {}
    selected = subproblems_of(task)[indices.start : indices.stop]
    subproblems = sorted(
        (each for each in selected if each.coalition.kind != "resampling"), key=lambda each: each.s
    )

    def tick() -> None:
        on_progress(len(solved) + len(resampled), len(indices))

    for s, of_one_s in groupby(subproblems, key=lambda subproblem: subproblem.s):
        with process_span(f"solve s={s:g}"), as_problems(task, s):
            for one, scored in _each_solved(task, store, market, of_one_s, tick):
                solved.append(one)
                if scored is not None and task.noise is None:
                    scores.append((s, scored))
                tick()
    for subproblem in selected:
        name = subproblem.coalition.contribution_id
        if subproblem.coalition.kind == "resampling" and name is not None:
            with process_span("resample"), as_problems(task, subproblem.s):
                resampled[name] = resample_seller(store, task, name, tick)
            tick()
    with process_span("store scores"):
        stored = store_scores(scores, store)
    return ChunkOutput(solved=serialize(solved), scores=stored, resampled=resampled)


def market_of(task: EvaluationTask, store: ArrayStore) -> Market:
    """Build the market of a task's parties from the stored arrays."""
    buyer = read_buyer(store, task.buyer)
    return Market(
        buyer.weights,
        [_seller_costs(store, seller, buyer, task) for seller in task.sellers],
        task.sweep,
        p=task.order,
        seller_weights=task.seller_weights,
    )


def _each_solved(
    task: EvaluationTask,
    store: ArrayStore,
    market: Market,
    subproblems: Iterable[Subproblem],
    tick: Callable[[], None],
) -> Iterator[tuple[SolvedSubproblem, PartyScores | None]]:
    sellers = {seller.contribution_id: seller for seller in task.sellers}
    measures: dict[str, Measure] = {}
    for is_pair, run in groupby(subproblems, key=lambda each: each.coalition.kind == "pair"):
        if not is_pair:
            yield from market.solve(run, tick)
            continue
        for subproblem in run:
            for name in subproblem.coalition.members:
                if name not in measures:
                    arrays = read_arrays(store, sellers[name], labelled=task.buyer.labelled)
                    measures[name] = arrays.measures()[subproblem.s]
            one, other = (measures[name] for name in subproblem.coalition.members)
            yield solve_pair(subproblem, one, other, task.order, tick), None


@contextmanager
def as_problems(task: EvaluationTask, s: float | None = None) -> Iterator[None]:
    """Translate errors that the solver raises in the block into problems that the buyer may read.

    Pass the s of the block's distances, or None if they are at several s.
    """
    try:
        yield
    except transport.TransportError as error:
        if task.noise is not None:  # the details are exact, so only the operator may read them
            raise NotSolvable(
                "The costs could not be computed, or could not be certified. Ask the operator, "
                "whose log has the details."
            ) from error
        if isinstance(error, transport.NotCertified):
            raise NotCertified.at(s) from error
        raise NotSolvable(str(error)) from error


def _seller_costs(
    store: ArrayStore, seller: SellerTask, buyer: Measure, task: EvaluationTask
) -> SellerCosts:
    arrays = read_arrays(store, seller, labelled=task.buyer.labelled)
    if task.noise is not None:
        arrays = clip_arrays(arrays, buyer, task.noise.radius)
        buyer = clip_to_ball(buyer, buyer, task.noise.radius)
    return array_mode_of(seller.mode).costs(arrays, buyer, task.order)

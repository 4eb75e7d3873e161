"""An evaluation in chunks: cut by estimated time, with the same result as without chunks."""

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.arrays import npy
from app.arrays.store import ArrayStore
from app.evaluations.computing import compute
from app.evaluations.computing.chunking import (
    CHUNKS,
    MAX_CHUNKS,
    count_leading,
    cut,
    estimated_seconds,
)
from app.evaluations.computing.process_messages import (
    ArrayTask,
    AssemblyTask,
    ChunkTask,
    ComputeTask,
    EvaluationOutput,
    EvaluationTask,
    MeasureTask,
    NoiseTask,
    SellerTask,
    StoreTask,
)
from app.jobs.handlers import Json, ProgressCallback
from tests.app.evaluations.market import SWEEP, data
from wassay.models import NoisedResult
from wassay.transport import Coalition, Measure, subproblems

SIZES = (12, 17, 9)
HELD = data(*SIZES, m=14, weighted=True)


@pytest.fixture
def task(tmp_path: Path) -> EvaluationTask:
    store = ArrayStore(tmp_path)

    def kept(measure: Measure) -> str:
        return store.put_bytes(npy.to_bytes(np.column_stack([measure.points, measure.weights])))

    def seller(place: int, measures: Mapping[float, Measure]) -> SellerTask:
        return SellerTask(
            contribution_id=f"con_{place}",
            account_id=f"acc_{place}",
            label=f"Seller {place}",
            mode="measure",
            points=SIZES[place],
            projection_spread=None,
            scores_shown="none",
            may_be_compared=False,
            copies_counted=False,
            arrays=[
                ArrayTask(s=s, digest=kept(measure), weighted=True)
                for s, measure in measures.items()
            ],
            scalars=None,
        )

    return EvaluationTask(
        evaluation_id="evl_1",
        request_id="req_1",
        store=StoreTask(folder=str(tmp_path), bucket=None),
        order=2,
        dimension=3,
        projected_from=None,
        sweep=list(SWEEP),
        reference_points=5,
        seller_weighting="points",
        given_weights=None,
        extends=None,
        extended=None,
        leave_one_out=True,
        coalitions=[],
        first_permutation=0,
        pairs=False,
        permutations=0,
        waited_seconds=0,
        noise=None,
        buyer=MeasureTask(
            digest=kept(HELD.buyer), weighted=True, rows=14, labelled=False, scores_labels=False
        ),
        sellers=[seller(place, measures) for place, measures in enumerate(HELD.sellers)],
    )


def through_json(
    function: Callable[[Json, ProgressCallback], Json],
    message: ComputeTask | ChunkTask | AssemblyTask,
) -> Json:
    """Call a function as a solver process does: from JSON to JSON."""
    arguments = json.loads(message.model_dump_json())
    answer: Json = json.loads(json.dumps(function(arguments, lambda *_: None), allow_nan=False))
    return answer


def in_one_piece(task: EvaluationTask) -> Json:
    return through_json(compute.compute, ComputeTask(evaluation=task, cut_seconds=1e9))


def without_timing(output: Json, folder: str) -> dict[str, Any]:
    found = EvaluationOutput.model_validate(output)
    store = ArrayStore(Path(folder))
    document: dict[str, Any] = json.loads(found.document)
    assert document.pop("timing")["solving"] >= 0
    scores = {}
    for one in found.scores:
        array = npy.memory_map(store.local_path(one.digest))
        own = array[:, one.first_column : one.first_column + 2]
        scores[one.contribution_id, one.s] = one.method, own.tolist()
    assert len(scores) == len(found.scores)
    return {"document": document, "scores": scores}


@pytest.mark.parametrize(
    "bounds", [[(0, 1), (1, 6), (6, 21)], [(n, n + 1) for n in range(21)]], ids=["few", "single"]
)
def test_chunks_in_any_order_give_the_result_of_the_whole_to_the_last_digit(
    task: EvaluationTask, bounds: list[tuple[int, int]]
) -> None:
    whole = in_one_piece(task)

    chunks = [
        through_json(compute.compute_chunk, ChunkTask(evaluation=task, first=first, stop=stop))
        for first, stop in reversed(bounds)
    ]
    assembled = through_json(
        compute.assemble,
        AssemblyTask.model_validate({"evaluation": task, "chunks": chunks, "solving_seconds": 1.5}),
    )

    assert without_timing(assembled, task.store.folder) == without_timing(whole, task.store.folder)


def test_without_leave_one_out_coalitions_all_else_is_the_same_to_the_last_digit(
    task: EvaluationTask,
) -> None:
    whole = without_timing(in_one_piece(task), task.store.folder)

    fewer = task.model_copy(update={"leave_one_out": False})
    found = without_timing(in_one_piece(fewer), task.store.folder)

    assert len(compute.subproblems_of(fewer)) == 12
    for seller in whole["document"]["sellers"]:
        assert seller["leave_one_out"] is not None
        seller["leave_one_out"] = None
    assert found == whole


def test_an_extension_solves_a_leave_one_out_coalition_only_if_it_was_omitted(
    task: EvaluationTask,
) -> None:
    asked = {"extends": "evl_0", "coalitions": [["con_0", "con_1"]]}

    of_whole = compute.subproblems_of(task.model_copy(update=asked))
    of_fewer = compute.subproblems_of(task.model_copy(update=asked | {"leave_one_out": False}))

    assert of_whole == ()
    assert [each.s for each in of_fewer] == list(SWEEP)
    assert {each.coalition for each in of_fewer} == {Coalition("leave-one-out", "con_2")}


def test_with_noise_there_are_no_leave_one_out_coalitions_and_no_scores(
    task: EvaluationTask,
) -> None:
    noise = NoiseTask(epsilon=100.0, radius=50.0)
    noised = task.model_copy(update={"noise": noise, "leave_one_out": False})
    chunks = [
        through_json(compute.compute_chunk, ChunkTask(evaluation=noised, first=n, stop=n + 4))
        for n in (8, 4, 0)
    ]
    assembled = EvaluationOutput.model_validate(
        through_json(
            compute.assemble,
            AssemblyTask.model_validate(
                {"evaluation": noised, "chunks": chunks, "solving_seconds": 1.5}
            ),
        )
    )

    assert len(compute.subproblems_of(noised)) == 12
    assert [chunk["scores"] for chunk in chunks] == [[], [], []]
    assert assembled.scores == []
    exact = json.loads(in_one_piece(task)["document"])
    told = NoisedResult.model_validate_json(assembled.document)
    weights = [np.max(each[0.5].weights) for each in HELD.sellers]
    for costs, curve in (
        (told.grand_coalition, exact["grand_coalition"]),
        *(
            (one.singleton, other["singleton"])
            for one, other in zip(told.sellers, exact["sellers"], strict=True)
        ),
    ):
        for each, point in zip(costs, curve["points"], strict=True):
            # A correct result fails here with probability e^-30.
            assert abs(each.cost - point["cost"]) < 30 * each.scale
    for one, weight in zip(told.sellers, weights, strict=True):
        assert one.singleton[0].scale == pytest.approx(100.0**2 * weight * 6 / 100, rel=0.005)


def test_an_evaluation_is_cut_only_if_it_takes_longer_than_it_may_in_one_piece(
    task: EvaluationTask,
) -> None:
    assert cut([2.0, 2.0, 2.0], 6.0) == [range(3)]
    assert len(cut([2.0, 2.0, 2.5], 6.0)) == 3
    cut_finely = ComputeTask(evaluation=task, cut_seconds=1e-3)
    bounds = through_json(compute.compute, cut_finely)["bounds"]
    assert bounds[0][0] == 0
    assert bounds[-1][1] == len(compute.subproblems_of(task)) == 21
    assert all(one[1] == other[0] for one, other in pairwise(bounds))


def test_chunks_take_a_third_of_that_and_have_every_subproblem_once_in_order() -> None:
    seconds = [0.5, 0.9, 0.9, 7.0, 0.1, 0.1, 1.9, 1.9]

    chunks = cut(seconds, 6.0)

    assert [place for chunk in chunks for place in chunk] == list(range(len(seconds)))
    took = [sum(seconds[place] for place in chunk) for chunk in chunks]
    for chunk, sum_of_chunk in zip(chunks, took, strict=True):
        assert sum_of_chunk <= 6.0 / CHUNKS or len(chunk) == 1
    assert len(chunks) == 6
    assert all(chunk.start % 3 == 0 for chunk in cut(seconds, 6.0, inseparable=3))


def test_sellers_are_left_out_in_the_chunk_of_the_grand_coalition_up_to_its_time() -> None:
    problems = subproblems(["a", "b", "c", "d"], SWEEP)
    grand, one = [6.0, 0.2, 0.2], [0.8, 0.1, 0.1]

    few = cut([*grand, *(4 * one), *(4 * one)], 6.0, 3, count_leading(problems))
    many = cut([*grand, *(100 * one)], 6.0, 3, 303)

    assert count_leading(problems) == 15
    assert few[0] == range(15)
    assert all(chunk.stop - chunk.start == 6 for chunk in few[1:])
    assert many[0] == range(3 + 3 * 6)
    assert all(chunk.stop - chunk.start == 6 for chunk in many[1:])
    assert count_leading(problems[3:]) == 0


def test_a_chunk_that_leaves_sellers_out_is_half_filled_by_what_these_share() -> None:
    """What they share is solved once more in each such chunk, here in 5 s."""
    grand, one = [6.0, 0.2, 0.2], [0.8, 0.1, 0.1]

    chunks = cut([*grand, *(100 * one), *(3 * one)], 6.0, 3, 303, shared=5.0)

    assert chunks[1:-3] == [range(n, n + 15) for n in range(21, 291, 15)]
    assert [chunk.stop - chunk.start for chunk in chunks[-3:]] == [12, 6, 3]


def test_a_huge_evaluation_has_longer_chunks_and_not_more() -> None:
    assert len(cut([1.0] * 100_000, 6.0)) <= MAX_CHUNKS


def test_the_time_of_a_subproblem_grows_with_its_coalitions_pairs() -> None:
    problems = subproblems(["a", "b", "c"], SWEEP)
    points = {"a": 10_000, "b": 30_000, "c": 20_000}

    seconds = estimated_seconds(problems, points, 500, 5, one_coupling=False)

    took = {
        (problem.coalition.kind, problem.coalition.contribution_id): needed
        for problem, needed in zip(problems, seconds, strict=True)
    }
    assert took["singleton", "b"] == pytest.approx(3 * took["singleton", "a"], rel=0.01)
    assert took["grand", None] > 2 * took["singleton", "b"]
    assert len(seconds) == 3 * 7
    assert [one.coalition for one in problems[::3]] == [one.coalition for one in problems[2::3]]

    once = estimated_seconds(problems, points, 500, 5, one_coupling=True)

    assert once[::3] == seconds[::3]
    assert sum(once) < sum(seconds) / 2


def test_leaving_out_one_of_many_costs_less_than_solving_without_it_alone() -> None:
    names = [f"seller {number}" for number in range(12)]
    problems = subproblems(names, SWEEP)

    seconds = estimated_seconds(problems, dict.fromkeys(names, 400), 2000, 32, one_coupling=True)

    of_grand, of_one_left_out = sum(seconds[:3]), sum(seconds[3:6])
    assert problems[3].coalition.kind == "leave-one-out"
    assert of_one_left_out < of_grand / 10


def test_a_thousand_tiny_sellers_are_shared_in_chunks_of_a_few_seconds(
    task: EvaluationTask,
) -> None:
    """Each is left out, too, so there are 6,003 problems; a thousand parts cannot be drawn."""
    seller = task.sellers[0].model_copy(update={"points": 4})
    sellers = [
        seller.model_copy(update={"contribution_id": f"con_{number}"}) for number in range(1000)
    ]
    buyer = task.buyer.model_copy(update={"rows": 64})
    many = task.model_copy(update={"sellers": sellers, "buyer": buyer, "reference_points": 1})

    chunks = compute.chunks_of(many, 6.0)

    workers = 4
    assert 4 * workers <= len(chunks) <= MAX_CHUNKS
    assert sum(map(len, chunks)) == 6003 + 1000

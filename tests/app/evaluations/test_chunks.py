"""An evaluation in chunks: cut by estimated time, with the same result as without chunks."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.arrays import npy
from app.arrays.store import ArrayStore
from app.evaluations.computing import compute
from app.evaluations.computing.chunking import (
    CHUNK_SECONDS,
    MAX_CHUNKS,
    cut,
    estimated_seconds,
    leading,
)
from app.evaluations.computing.process_messages import (
    ArrayTask,
    AssemblyTask,
    ChunkTask,
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
            compared=False,
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
    message: EvaluationTask | ChunkTask | AssemblyTask,
) -> Json:
    """Call a function as a solver process does: from JSON to JSON."""
    arguments = json.loads(message.model_dump_json())
    answer: Json = json.loads(json.dumps(function(arguments, lambda *_: None), allow_nan=False))
    return answer


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
    whole = through_json(compute.compute, task)

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
    whole = without_timing(through_json(compute.compute, task), task.store.folder)

    fewer = task.model_copy(update={"leave_one_out": False})
    found = without_timing(through_json(compute.compute, fewer), task.store.folder)

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
    exact = json.loads(through_json(compute.compute, task)["document"])
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


def test_an_evaluation_that_takes_less_than_a_second_is_not_cut() -> None:
    assert cut([0.3, 0.3, 0.3]) == [range(3)]


def test_chunks_take_a_few_seconds_and_have_every_subproblem_once_in_order() -> None:
    seconds = [0.5, 0.9, 0.9, 7.0, 0.1, 0.1, 1.9, 1.9]

    chunks = cut(seconds)

    assert [place for chunk in chunks for place in chunk] == list(range(len(seconds)))
    took = [sum(seconds[place] for place in chunk) for chunk in chunks]
    for chunk, sum_of_chunk in zip(chunks, took, strict=True):
        assert sum_of_chunk <= CHUNK_SECONDS or len(chunk) == 1
    assert len(chunks) == 6
    assert all(chunk.start % 3 == 0 for chunk in cut(seconds, inseparable=3))


def test_sellers_are_left_out_in_the_chunk_of_the_grand_coalition_up_to_its_time() -> None:
    problems = subproblems(["a", "b", "c", "d"], SWEEP)
    grand, one = [6.0, 0.2, 0.2], [0.8, 0.1, 0.1]

    few = cut([*grand, *(4 * one), *(4 * one)], 3, leading(problems))
    many = cut([*grand, *(100 * one)], 3, 303)

    assert leading(problems) == 15
    assert few[0] == range(15)
    assert all(chunk.stop - chunk.start == 6 for chunk in few[1:])
    assert many[0] == range(3 + 3 * 6)
    assert all(chunk.stop - chunk.start == 6 for chunk in many[1:])
    assert leading(problems[3:]) == 0


def test_a_huge_evaluation_has_longer_chunks_and_not_more() -> None:
    assert len(cut([1.0] * 100_000)) <= MAX_CHUNKS


def test_the_time_of_a_subproblem_is_that_of_its_coalitions_pairs() -> None:
    problems = subproblems(["a", "b", "c"], SWEEP)

    points = {"a": 1000, "b": 3000, "c": 2000}
    seconds = estimated_seconds(problems, points, 500, one_coupling=False)

    took = {
        (problem.coalition.kind, problem.coalition.contribution_id): needed
        for problem, needed in zip(problems, seconds, strict=True)
    }
    assert took["singleton", "b"] == pytest.approx(3 * took["singleton", "a"])
    assert took["leave-one-out", "b"] == pytest.approx(took["singleton", "b"])
    assert took["grand", None] > took["singleton", "a"] + took["leave-one-out", "a"]
    assert len(seconds) == 3 * 7
    assert [one.coalition for one in problems[::3]] == [one.coalition for one in problems[2::3]]

    once = estimated_seconds(problems, points, 500, one_coupling=True)

    assert once[::3] == seconds[::3]
    assert sum(once) < sum(seconds) / 2

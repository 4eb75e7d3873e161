"""Evaluations whose task was read while they waited for a slot. No worker runs."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from tests.app.evaluations.test_receipts import receipt
from tests.app.evaluations.test_results import published
from tests.conftest import ON_POSTGRES

SHORT = data(10, 8)
MODES = ["measure", "measure"]


@pytest.fixture(scope="module")
def jobs(service: Service) -> Jobs:
    return Jobs(service)


@ON_POSTGRES
def test_an_evaluation_that_was_read_ahead_begins_with_the_same_task(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, MODES)
    ahead, locked = evaluate(buyer, request_id), evaluate(buyer, request_id)

    begun = jobs.evaluations.prepare(ahead, jobs.evaluations.read_ahead(ahead))
    reread = jobs.evaluations.prepare(locked)

    assert begun and reread
    assert (begun.function, begun.attempt) == (reread.function, reread.attempt)
    tasks = [each.arguments["evaluation"] for each in (begun, reread)]
    own = "evaluation_id", "waited_seconds"
    assert {k: v for k, v in tasks[0].items() if k not in own} == {
        k: v for k, v in tasks[1].items() if k not in own
    }
    assert begun.arguments["cut_seconds"] == reread.arguments["cut_seconds"]
    states = [buyer.get(f"/v1/evaluations/{each}").json() for each in (ahead, locked)]
    for state, task in zip(states, tasks, strict=True):
        assert (state["state"], state["attempts"], state["progress"]) == ("running", 1, None)
        assert task["evaluation_id"] == state["id"]
        assert 0 < task["waited_seconds"] < 60
        buyer.post(f"/v1/evaluations/{state['id']}/cancel")


@ON_POSTGRES
def test_an_evaluation_that_was_cancelled_after_it_was_read_does_not_begin(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, MODES)
    evaluation_id = evaluate(buyer, request_id)
    ahead = jobs.evaluations.read_ahead(evaluation_id)
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    assert ahead is not None
    assert jobs.evaluations.prepare(evaluation_id, ahead) is None
    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "cancelled"


@ON_POSTGRES
def test_an_evaluation_that_another_worker_began_after_it_was_read_has_a_second_attempt(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, MODES)
    evaluation_id = evaluate(buyer, request_id)
    ahead = [jobs.evaluations.read_ahead(evaluation_id) for _ in range(2)]

    tasks = [jobs.evaluations.prepare(evaluation_id, each) for each in ahead]

    assert [task and task.attempt for task in tasks] == [1, 2]
    assert jobs.evaluations.read_ahead(evaluation_id) is None
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")


def test_an_evaluation_that_was_cut_after_it_was_read_does_not_begin(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, MODES)
    evaluation_id = evaluate(buyer, request_id)
    ahead = jobs.evaluations.read_ahead(evaluation_id)
    jobs.evaluations.publish(evaluation_id, {"bounds": [(0, 1), (1, 2)]})

    assert jobs.evaluations.prepare(evaluation_id, ahead) is None
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")


@ON_POSTGRES
def test_an_evaluation_that_was_read_ahead_is_published_like_another(
    http: Callable[..., Party], service: Service, jobs: Jobs
) -> None:
    buyer, sellers, request_id, _ = market(http, SHORT, MODES)
    locked, read = evaluate(buyer, request_id), evaluate(buyer, request_id)
    jobs.evaluations.publish(locked, jobs.computed(jobs.evaluations, locked))
    ahead = jobs.evaluations.read_ahead(read)
    output = jobs.computed(jobs.evaluations, read)
    jobs.evaluations.progress(read, 8, 9)

    for _ in range(2):
        jobs.evaluations.publish(read, output, ahead)

    assert published(service, read) == published(service, locked)
    own = {"id", "created_at", "updated_at", "started_at", "finished_at", "progress"}
    states = [buyer.get(f"/v1/evaluations/{each}").json() for each in (locked, read)]
    assert [each["state"] for each in states] == ["succeeded", "succeeded"]
    assert states[1]["finished_at"] >= states[1]["started_at"] > states[0]["finished_at"]
    assert states[1]["progress"] == {"done": 9, "total": 9}
    one, other = ({k: v for k, v in each.items() if k not in own} for each in states)
    assert one == other
    differing = {"nonce", "issued_at", "evaluation_id", "result_digest", "whole_digest"}
    for party in (buyer, *sellers):
        receipts = [receipt(party, each).receipt.model_dump() for each in (locked, read)]
        first, second = ({k: v for k, v in each.items() if k not in differing} for each in receipts)
        assert first == second


@ON_POSTGRES
def test_an_evaluation_that_was_read_ahead_and_cancelled_is_not_published(
    http: Callable[..., Party], service: Service, jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, MODES)
    evaluation_id = evaluate(buyer, request_id)
    ahead = jobs.evaluations.read_ahead(evaluation_id)
    output = jobs.computed(jobs.evaluations, evaluation_id)
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    jobs.evaluations.publish(evaluation_id, output, ahead)

    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "cancelled"
    assert published(service, evaluation_id) == (0, 0)

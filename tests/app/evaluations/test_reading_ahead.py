"""Evaluations whose task was read while they waited for a slot. No worker runs."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
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
    own = "evaluation_id", "waited_seconds"
    assert {k: v for k, v in begun.arguments.items() if k not in own} == {
        k: v for k, v in reread.arguments.items() if k not in own
    }
    states = [buyer.get(f"/v1/evaluations/{each}").json() for each in (ahead, locked)]
    for state, task in zip(states, (begun, reread), strict=True):
        assert (state["state"], state["attempts"], state["progress"]) == ("running", 1, None)
        assert task.arguments["evaluation_id"] == state["id"]
        assert 0 < task.arguments["waited_seconds"] < 60
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

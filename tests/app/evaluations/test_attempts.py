"""Attempts of an evaluation and of its chunks: begun, lost, given back, failed. No worker runs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event

from app.evaluations.queue_repository import count_unfinished
from app.evaluations.repository import locked
from app.jobs.worker_registry import WorkerRegistry
from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import CUT_SECONDS
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from tests.app.evaluations.test_results import published
from tests.conftest import ON_POSTGRES

SHORT = data(10)
LONG = partial(data, 600, 700, 800, m=600, d=5)
MAX_ATTEMPTS = 2


@pytest.fixture(scope="module")
def jobs(service: Service) -> Jobs:
    return Jobs(service, max_attempts=MAX_ATTEMPTS, cut_seconds=CUT_SECONDS)


def test_waiting_evaluations_report_their_position_in_the_queue(
    http: Callable[..., Party], service: Service, jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    registry = WorkerRegistry(service.database, "idle", 2)
    registry.register()
    with service.database.snapshot() as session:
        before = count_unfinished(session)["waiting"]
    running = [evaluate(buyer, request_id), evaluate(buyer, request_id)]
    for evaluation_id in running:
        assert jobs.evaluations.prepare(evaluation_id)
    waiting = [evaluate(buyer, request_id), evaluate(buyer, request_id)]

    reasons = [buyer.get(f"/v1/evaluations/{name}").json()["reason"] for name in waiting]

    registry.deregister()
    assert reasons == [f"Position {before + place} in the queue." for place in (1, 2)]
    buyer.post(f"/v1/requests/{request_id}/cancel")


@ON_POSTGRES
def test_an_evaluation_that_loses_its_worker_again_and_again_fails(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    evaluation_id = evaluate(buyer, request_id)

    tasks = [jobs.evaluations.prepare(evaluation_id) for _ in range(MAX_ATTEMPTS)]
    second_wind = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    last = jobs.evaluations.prepare(evaluation_id)

    assert all(tasks)
    assert second_wind["reason"].startswith(f"Attempt {MAX_ATTEMPTS}")
    assert last is None
    failed = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (failed["state"], failed["problem"]["type"]) == ("failed", "/problems/worker-lost")


@ON_POSTGRES
def test_an_evaluation_that_is_given_back_waits_again_and_the_attempt_does_not_count(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    assert jobs.evaluations.prepare(evaluation_id)
    jobs.evaluations.progress(evaluation_id, 1, 3)

    jobs.evaluations.give_back(evaluation_id, 1)

    waiting = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (waiting["state"], waiting["attempts"], waiting["progress"]) == ("waiting", 0, None)
    assert waiting["reason"].startswith("No worker is running")
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")


@ON_POSTGRES
def test_an_older_attempt_that_fails_or_stops_does_not_end_the_newer_one(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    whole = evaluate(buyer, request_id)
    other, cut, (part, *_) = cut_evaluation(http, jobs)
    cut_off = {"detail": "The machine was cut off."}

    for handler, job_id in ((jobs.evaluations, whole), (jobs.chunks, part)):
        assert handler.prepare(job_id)
        assert handler.prepare(job_id)  # another worker, which took over
        handler.fail(job_id, cut_off, 1)
        handler.give_back(job_id, 1)

    for party, evaluation_id in ((buyer, whole), (other, cut)):
        evaluation = party.get(f"/v1/evaluations/{evaluation_id}").json()
        assert (evaluation["state"], evaluation["attempts"]) == ("running", 2)
        party.post(f"/v1/evaluations/{evaluation_id}/cancel")


def test_publishing_twice_and_after_a_cancellation_changes_nothing(
    http: Callable[..., Party], service: Service, jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    once, never = evaluate(buyer, request_id), evaluate(buyer, request_id)
    outcomes = {name: jobs.computed(jobs.evaluations, name) for name in (once, never)}
    assert jobs.evaluations.unwanted(outcomes) == set()
    buyer.post(f"/v1/evaluations/{never}/cancel")
    assert jobs.evaluations.unwanted(outcomes) == {never}

    for _ in range(2):
        for evaluation_id, output in outcomes.items():
            jobs.evaluations.publish(evaluation_id, output)
        jobs.evaluations.fail(once, {"detail": "too late"}, 1)

    assert jobs.evaluations.unwanted(outcomes) == {once, never}
    assert published(service, once) == (1, 2 * 3)
    assert published(service, never) == (0, 0)
    assert buyer.get(f"/v1/evaluations/{once}").json()["state"] == "succeeded"
    assert buyer.get(f"/v1/evaluations/{never}").json()["state"] == "cancelled"


def test_an_evaluation_cancelled_while_it_is_published_is_not_published(
    http: Callable[..., Party], service: Service, jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    output = jobs.computed(jobs.evaluations, evaluation_id)
    publishing = threading.Thread(target=jobs.evaluations.publish, args=(evaluation_id, output))

    with service.database.transaction() as session:
        evaluation = locked(session, evaluation_id)
        assert evaluation is not None
        publishing.start()  # it has to wait for the evaluation's row
        time.sleep(0.3)
        evaluation.state = "cancelled"
    publishing.join()

    assert published(service, evaluation_id) == (0, 0)
    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "cancelled"


@ON_POSTGRES
def test_a_long_evaluation_is_cut_once_even_if_the_cut_is_published_twice(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, LONG(), ["measure"] * 3)
    evaluation_id = evaluate(buyer, request_id)
    cut = jobs.computed(jobs.evaluations, evaluation_id)

    for _ in range(2):
        jobs.evaluations.publish(evaluation_id, cut)

    chunks = jobs.chunks_of(evaluation_id)
    assert [(chunk.first, chunk.stop) for chunk in chunks] == [*cut["bounds"], (21, 21)]
    assert jobs.evaluations.prepare(evaluation_id) is None
    running = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (running["state"], running["progress"]) == ("running", {"done": 0, "total": 21})
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")


@ON_POSTGRES
def test_a_chunk_that_is_given_back_waits_again_unless_others_run(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, evaluation_id, names = cut_evaluation(http, jobs)
    first, second, *_ = names
    path = f"/v1/evaluations/{evaluation_id}"
    for name in (first, second):
        assert jobs.chunks.prepare(name)
        jobs.chunks.progress(name, 1, 2)

    assert buyer.get(path).json()["progress"]["done"] == 2
    jobs.chunks.give_back(first, 1)
    one_runs = buyer.get(path).json()
    jobs.chunks.give_back(second, 1)
    none_runs = buyer.get(path).json()

    assert (one_runs["state"], one_runs["progress"]["done"]) == ("running", 1)
    assert (none_runs["state"], none_runs["progress"]["done"]) == ("waiting", 0)
    assert {chunk.attempts for chunk in jobs.chunks_of(evaluation_id)} == {0}
    buyer.post(f"{path}/cancel")


@ON_POSTGRES
def test_a_chunk_that_loses_its_worker_again_and_again_fails_its_evaluation(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, evaluation_id, (first, second, *_) = cut_evaluation(http, jobs)
    assert jobs.chunks.prepare(second)

    for _ in range(MAX_ATTEMPTS):
        assert jobs.chunks.prepare(first)
    second_wind = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert jobs.chunks.prepare(first) is None

    assert second_wind["attempts"] == MAX_ATTEMPTS
    assert second_wind["reason"].startswith(f"Attempt {MAX_ATTEMPTS} at a chunk")
    failed = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (failed["state"], failed["problem"]["type"]) == ("failed", "/problems/worker-lost")
    assert jobs.chunks.unwanted([second]) == {second}


def test_the_chunks_of_a_cancelled_evaluation_are_not_computed(
    http: Callable[..., Party], jobs: Jobs
) -> None:
    buyer, evaluation_id, names = cut_evaluation(http, jobs)
    assert jobs.chunks.prepare(names[0])

    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    assert jobs.chunks.unwanted(names) == set(names)
    assert jobs.chunks.prepare(names[1]) is None
    jobs.chunks.publish(names[0], {"solved": [], "scores": []})
    jobs.chunks.fail(names[0], {"detail": "too late"}, 1)
    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "cancelled"


def test_a_result_is_published_while_its_buyer_asks_again(
    http: Callable[..., Party], service: Service, jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    output = jobs.computed(jobs.evaluations, evaluation_id)
    asking = threading.Thread(target=evaluate, args=(buyer, request_id))

    def ask_meanwhile(*statement: Any) -> None:
        # The transaction refers to the contributions by now, and will refer to the request next.
        if statement[2].startswith("INSERT INTO disclosures") and not asking.ident:
            asking.start()
            asking.join(0.5)

    with listening(service.database.engine, "before_cursor_execute", ask_meanwhile):
        jobs.evaluations.publish(evaluation_id, output)
    asking.join()

    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "succeeded"
    states = buyer.get(f"/v1/requests/{request_id}/evaluations").json()["items"]
    assert [each["state"] for each in states].count("waiting") == 1
    buyer.post(f"/v1/requests/{request_id}/cancel")


@contextmanager
def listening(target: Any, name: str, function: Callable[..., Any]) -> Iterator[None]:
    event.listen(target, name, function)
    try:
        yield
    finally:
        event.remove(target, name, function)


def cut_evaluation(http: Callable[..., Party], jobs: Jobs) -> tuple[Party, str, list[str]]:
    """Make a long evaluation that was cut; return its buyer, its id and the ids of its chunks."""
    buyer, _, request_id, _ = market(http, LONG(), ["measure"] * 3)
    evaluation_id = evaluate(buyer, request_id)
    jobs.evaluations.publish(evaluation_id, jobs.computed(jobs.evaluations, evaluation_id))
    return buyer, evaluation_id, [chunk.id for chunk in jobs.chunks_of(evaluation_id)]

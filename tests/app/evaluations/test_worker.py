"""Evaluations whose worker is killed, stopped or told to give up: published once, or not at all."""

import signal
import subprocess
import time
from collections.abc import Callable

import psutil
import pytest

from app.evaluations.job import EvaluationJob
from app.evaluations.repository import locked
from app.jobs.children import ChildLimits
from app.jobs.handlers import MAX_ATTEMPTS, Json
from app.jobs.runner import JobRunner
from app.receipts.key_file import KeyFile
from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import worker_process
from tests.app.evaluations.market import data, evaluate, finished, market, result
from tests.app.evaluations.test_results import published
from tests.app.requests.market import refused

LONG = data(500, 600, 700, m=400, d=5)
ENDLESS = data(2000, 2200, 2400, m=2000, d=6)
SHORT = data(10)


@pytest.fixture
def long_request(http: Callable[..., Party]) -> tuple[Party, str]:
    buyer, _, request_id, _ = market(http, LONG, ["measure"] * 3)
    return buyer, request_id


def test_what_computes_a_cancelled_evaluation_ends_and_publishes_nothing(
    long_request: tuple[Party, str], service: Service
) -> None:
    buyer, request_id = long_request
    with worker_process(service, concurrency=1) as worker:
        evaluation_id = evaluate(buyer, request_id)
        await_progress(buyer, evaluation_id)
        children = psutil.Process(worker.pid).children(recursive=True)

        cancelled = buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

        assert cancelled.json()["state"] == "cancelled"
        assert children
        await_end(children)
        evaluation = finished(buyer, evaluation_id)
    assert evaluation["state"] == "cancelled"
    assert published(service, evaluation_id) == (0, 0)
    answer = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    refused(answer, 409, "evaluation-without-result")


def test_a_cancelled_request_ends_what_computes_for_it(
    long_request: tuple[Party, str], service: Service
) -> None:
    buyer, request_id = long_request
    with worker_process(service, concurrency=1) as worker:
        evaluation_id = evaluate(buyer, request_id)
        await_progress(buyer, evaluation_id)
        children = psutil.Process(worker.pid).children(recursive=True)

        buyer.post(f"/v1/requests/{request_id}/cancel")

        await_end(children)
    assert finished(buyer, evaluation_id)["reason"] == "Its request was cancelled."


def test_an_evaluation_whose_worker_was_killed_is_finished_by_the_next_and_published_once(
    long_request: tuple[Party, str], service: Service
) -> None:
    buyer, request_id = long_request
    with worker_process(service) as worker:
        evaluation_id = evaluate(buyer, request_id)
        await_progress(buyer, evaluation_id)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    with worker_process(service):
        found = result(buyer, evaluation_id)

    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["attempts"] == 2
    assert len(found["sellers"]) == 3
    assert published(service, evaluation_id) == (1, 4 * 3)


def test_a_stopped_worker_lets_its_evaluation_wait_again(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, ENDLESS, ["measure"] * 3)
    with worker_process(service):
        evaluation_id = evaluate(buyer, request_id)
        await_progress(buyer, evaluation_id)

    waiting = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (waiting["state"], waiting["attempts"], waiting["progress"]) == ("waiting", 0, None)
    assert waiting["reason"].startswith("No worker is running")
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")


def test_waiting_evaluations_know_their_place_behind_those_that_run(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, LONG, ["measure"] * 3)
    with worker_process(service):
        running = [evaluate(buyer, request_id), evaluate(buyer, request_id)]
        for evaluation_id in running:
            await_progress(buyer, evaluation_id)
        waiting = [evaluate(buyer, request_id), evaluate(buyer, request_id)]

        reasons = [
            buyer.get(f"/v1/evaluations/{evaluation_id}").json()["reason"]
            for evaluation_id in waiting
        ]

        assert reasons == ["Position 1 in the queue.", "Position 2 in the queue."]
        buyer.post(f"/v1/requests/{request_id}/cancel")


def test_an_evaluation_that_loses_its_worker_again_and_again_fails(
    http: Callable[..., Party], service: Service, job: EvaluationJob
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    evaluation_id = evaluate(buyer, request_id)

    tasks = [job.prepare(evaluation_id) for _ in range(MAX_ATTEMPTS)]
    second_wind = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    last = job.prepare(evaluation_id)

    assert all(tasks)
    assert second_wind["reason"].startswith(f"Attempt {MAX_ATTEMPTS}")
    assert last is None
    failed = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (failed["state"], failed["problem"]["type"]) == ("failed", "/problems/worker-lost")


def test_publishing_twice_and_after_a_cancellation_changes_nothing(
    http: Callable[..., Party], service: Service, job: EvaluationJob
) -> None:
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    once, never = evaluate(buyer, request_id), evaluate(buyer, request_id)
    outcomes = computed(job, once, never)
    buyer.post(f"/v1/evaluations/{never}/cancel")

    for _ in range(2):
        for evaluation_id, output in outcomes.items():
            job.publish(evaluation_id, output)
        job.fail(once, {"detail": "too late"})

    assert published(service, once) == (1, 2 * 3)
    assert published(service, never) == (0, 0)
    assert buyer.get(f"/v1/evaluations/{once}").json()["state"] == "succeeded"
    assert buyer.get(f"/v1/evaluations/{never}").json()["state"] == "cancelled"


def test_an_evaluation_cancelled_while_it_is_published_is_not_published(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, LONG, ["measure"] * 3)
    with worker_process(service) as worker:
        evaluation_id = evaluate(buyer, request_id)
        await_progress(buyer, evaluation_id)
        # Its row is locked, so the worker can compute, and has to wait with publishing.
        with service.database.transaction() as session:
            evaluation = locked(session, evaluation_id)
            assert evaluation is not None
            await_idle(worker)
            evaluation.state = "cancelled"
        finished(buyer, evaluation_id)
        other = evaluate(buyer, request_id)
        assert finished(buyer, other)["state"] == "succeeded"

    assert published(service, evaluation_id) == (0, 0)
    assert buyer.get(f"/v1/evaluations/{evaluation_id}").json()["state"] == "cancelled"


def test_a_full_disk_fails_the_evaluation_and_with_space_the_next_succeeds(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, LONG, ["measure"] * 3)
    with worker_process(service) as worker:
        evaluation_id = evaluate(buyer, request_id)
        limit_files(worker, 1000)

        failed = finished(buyer, evaluation_id)
        limit_files(worker, psutil.RLIM_INFINITY)
        then = finished(buyer, evaluate(buyer, request_id))

    assert (failed["state"], failed["problem"]["type"]) == ("failed", "/problems/storage-full")
    assert "make space" in failed["reason"]
    assert published(service, evaluation_id) == (0, 0)
    assert list((service.settings.data_folder / "arrays" / "incoming").iterdir()) == []
    assert then["state"] == "succeeded"


def test_an_attached_worker_ends_with_the_process_that_started_it(service: Service) -> None:
    with worker_process(service) as worker:
        assert worker.stdin is not None
        worker.stdin.close()

        assert worker.wait(timeout=10) == 0
        worker.stdin = None


@pytest.fixture
def job(service: Service) -> EvaluationJob:
    folder = service.settings.data_folder
    return EvaluationJob(service.database, folder / "arrays", KeyFile(folder))


def computed(job: EvaluationJob, *evaluation_ids: str) -> dict[str, Json]:
    runner = JobRunner([job], ChildLimits(threads=1, memory_bytes=8 * 2**30, seconds=60))
    outputs = {name: runner.solve(job.kind, name)["output"] for name in evaluation_ids}
    runner.stop()
    return outputs


def await_progress(party: Party, evaluation_id: str) -> None:
    end = time.monotonic() + 60
    while party.get(f"/v1/evaluations/{evaluation_id}").json()["progress"] is None:
        assert time.monotonic() < end, "no progress after 60 s"
        time.sleep(0.05)


def await_end(processes: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(processes, timeout=5)
    assert not alive


def limit_files(worker: "subprocess.Popen[bytes]", size: int) -> None:
    """Let what the worker's children write be so large at most: to them the disk is full."""
    for child in psutil.Process(worker.pid).children():
        child.rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))


def await_idle(worker: "subprocess.Popen[bytes]") -> None:
    """Wait until no child of the worker computes."""
    end, spent = time.monotonic() + 60, -1.0
    while True:
        now = sum(sum(c.cpu_times()[:2]) for c in psutil.Process(worker.pid).children())
        if now == spent:
            return
        spent = now
        assert time.monotonic() < end, "a child still computes after 60 s"
        time.sleep(1)

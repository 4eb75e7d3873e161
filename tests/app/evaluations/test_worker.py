"""Evaluations in a worker process: followed, cancelled, and on a full disk."""

import subprocess
from collections.abc import Callable
from functools import partial

import psutil
import pytest

from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import worker_process
from tests.app.evaluations.jobs import Jobs, eventually
from tests.app.evaluations.market import data, evaluate, finished, market
from tests.app.evaluations.test_events import events
from tests.app.evaluations.test_results import published
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE

ENDLESS = partial(data, 3000, m=3000, d=5)
LONG = partial(data, 600, 700, 800, m=600, d=5)
SHORT = data(10)


def test_the_processes_of_a_cancelled_evaluation_end_and_publish_nothing(
    http: Callable[..., Party], service: Service, worker: "subprocess.Popen[bytes]"
) -> None:
    buyer, _, request_id, _ = market(http, ENDLESS(), ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    processes = computing(service, worker, evaluation_id)

    cancelled = buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    assert cancelled.json()["state"] == "cancelled"
    await_end(processes)
    assert finished(buyer, evaluation_id)["state"] == "cancelled"
    assert published(service, evaluation_id) == (0, 0)
    response = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    refused(response, 409, "evaluation-without-result")


def test_a_cancelled_request_ends_the_processes_that_compute_for_it(
    http: Callable[..., Party], service: Service, worker: "subprocess.Popen[bytes]"
) -> None:
    buyer, _, request_id, _ = market(http, ENDLESS(), ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    processes = computing(service, worker, evaluation_id)

    buyer.post(f"/v1/requests/{request_id}/cancel")

    await_end(processes)
    assert finished(buyer, evaluation_id)["reason"] == "The request was cancelled."


@ON_SQLITE
def test_an_evaluation_that_meets_a_full_disk_is_computed_again_where_there_is_space(
    http: Callable[..., Party], service: Service, worker: "subprocess.Popen[bytes]"
) -> None:
    incoming = service.settings.data_folder / "arrays" / "incoming"
    buyer, _, request_id, _ = market(http, SHORT, ["measure"])
    limit_files(worker, 100)
    left_by_killed_processes = set(incoming.iterdir())

    evaluation_id = evaluate(buyer, request_id)
    ended = finished(buyer, evaluation_id)

    assert (ended["state"], ended["attempts"]) == ("succeeded", 2)
    assert set(incoming.iterdir()) <= left_by_killed_processes


@ON_SQLITE
@pytest.mark.usefixtures("worker")  # the worker has computed all waiting evaluations
def test_an_attached_worker_ends_with_the_process_that_started_it(service: Service) -> None:
    with worker_process(service, "attached") as worker:
        assert worker.stdin is not None
        worker.stdin.close()

        assert worker.wait(timeout=60) == 0
        worker.stdin = None


@ON_SQLITE
def test_the_last_event_of_a_stream_equals_the_polled_document_and_the_stream_ends(
    http: Callable[..., Party], worker: "subprocess.Popen[bytes]"
) -> None:
    del worker
    buyer, _, request_id, _ = market(http, LONG(), ["measure"] * 3)
    evaluation_id = evaluate(buyer, request_id)
    seen = list(events(buyer, evaluation_id))

    states = [event["data"]["state"] for event in seen]
    assert states == sorted(states, key=["waiting", "running", "succeeded"].index)
    assert "running" in states
    assert any(event["data"]["progress"] for event in seen[:-1])
    assert len({event["id"] for event in seen}) == len(seen)
    assert {event["event"] for event in seen} == {"evaluation"}
    assert seen[-1]["data"] == buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert states[-1] == "succeeded"


def computing(
    service: Service, worker: "subprocess.Popen[bytes]", evaluation_id: str
) -> list[psutil.Process]:
    """Wait until solver processes compute a chunk of an evaluation; return them."""
    jobs = Jobs(service)
    eventually(
        lambda: any(chunk.running for chunk in jobs.chunks_of(evaluation_id)), "a running chunk"
    )
    processes = psutil.Process(worker.pid).children(recursive=True)
    assert processes
    return processes


def await_end(processes: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(processes, timeout=60)
    assert not alive


def limit_files(worker: "subprocess.Popen[bytes]", size: int) -> None:
    """Limit the size of files that the worker's processes can write, as if the disk were full."""
    process = psutil.Process(worker.pid)
    eventually(process.children, "a process")
    for child in process.children():
        child.rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))

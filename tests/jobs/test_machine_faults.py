"""If a worker's machine has a fault, other workers compute its jobs, and the worker waits."""

import json
from pathlib import Path

import httpx

from app.jobs.worker_registry import living_workers
from tests.app.test_metrics import Metrics, parsed
from tests.conftest import ON_SQLITE
from tests.jobs.conftest import ToyService, eventually
from tests.object_store import free_ports


def fault_of(service: ToyService) -> str | None:
    with service.database.snapshot() as session:
        return {worker.id: worker.fault for worker in living_workers(session)}.get("one")


def test_a_worker_whose_machine_breaks_gives_its_job_back_and_takes_none_until_it_is_mended(
    service: ToyService, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    service.start_worker("one", TOY_BROKEN=str(broken))
    service.ask("before", "write")
    service.wait("before", lambda toy: toy.state == "succeeded")

    broken.touch()
    service.ask("given back", "write")
    eventually(lambda: fault_of(service) is not None, "out of service")
    service.ask("waiting", "write")
    reported = fault_of(service)
    given_back = service.wait("given back", lambda toy: toy.state == "waiting")

    assert reported == "the disk is full"
    assert given_back.attempts == 0
    service.start_worker("two")
    service.wait("given back", lambda toy: toy.state == "succeeded")
    waited = service.wait("waiting", lambda toy: toy.state == "succeeded")
    assert waited.attempts == 1
    assert fault_of(service) is not None
    broken.unlink()
    eventually(lambda: fault_of(service) is None, "in service again")


def probed(port: int, path: str) -> tuple[int, str | None] | None:
    try:
        response = httpx.get(f"http://127.0.0.1:{port}/{path}")
    except httpx.ConnectError:
        return None
    return response.status_code, response.json().get("fault")


def scraped(port: int) -> Metrics:
    response = httpx.get(f"http://127.0.0.1:{port}/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return parsed(response.text)


@ON_SQLITE
def test_a_worker_on_a_broken_machine_begins_nothing(service: ToyService, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.touch()
    (port,) = free_ports("127.0.0.1", 1)
    service.start_worker("one", TOY_BROKEN=str(broken), WASSAY_WORKER_PORT=str(port))
    service.await_worker("one")
    service.ask("waiting", "write")
    eventually(lambda: fault_of(service) is not None, "out of service")
    eventually(lambda: probed(port, "healthz") == (200, None), "alive")
    assert probed(port, "readyz") == (503, "the disk is full")
    assert scraped(port)["wassay_worker_in_service",] == 0

    service.ask("unwanted", "write")
    service.cancel("unwanted")
    broken.unlink()

    assert service.wait("waiting", lambda toy: toy.state == "succeeded").attempts == 1
    assert probed(port, "readyz") == (200, None)
    dropped = ("wassay_jobs_total", "toy", "dropped", "")
    eventually(lambda: scraped(port)[dropped] == 1, "dropped")
    found = scraped(port)
    assert found["wassay_worker_in_service",] == 1
    assert found["wassay_jobs_total", "toy", "published", ""] == 1
    assert found["wassay_job_duration_seconds_count", "toy"] == 2
    assert found["wassay_worker_jobs_running",] == 0
    assert found["wassay_database_up",] == 1
    assert found["process_cpu_seconds_total",] > 0


@ON_SQLITE
def test_a_fault_that_no_check_finds_fails_the_job_after_its_attempts_each_by_another_worker(
    service: ToyService,
) -> None:
    (port,) = free_ports("127.0.0.1", 1)
    service.start_worker("one", WASSAY_MAX_ATTEMPTS="2", WASSAY_WORKER_PORT=str(port))
    service.await_worker("one")
    service.ask("unlucky", "write", always=True)
    eventually(lambda: fault_of(service) is not None, "in doubt")
    service.ask("lucky", "write")

    doubted = fault_of(service)
    given_back = service.wait("unlucky", lambda toy: toy.state == "waiting")
    eventually(lambda: probed(port, "readyz") == (503, doubted), "out of service")
    assert "a job failed here (OSError: No space left on device), although" in str(doubted)
    assert given_back.attempts == 1
    assert scraped(port)["wassay_jobs_total", "toy", "given back", ""] == 1

    service.start_worker("two", WASSAY_MAX_ATTEMPTS="2")
    failed = service.wait("unlucky", lambda toy: toy.state == "failed")
    problem = json.loads(failed.problem or "")
    assert (problem["type"], failed.attempts) == ("/problems/machine-failed", 2)
    assert "No space" not in problem["detail"]
    assert service.wait("lucky", lambda toy: toy.state == "succeeded").attempts == 1


@ON_SQLITE
def test_a_worker_whose_processes_cannot_load_their_libraries_is_out_of_service(
    service: ToyService, tmp_path: Path
) -> None:
    unloadable = tmp_path / "unloadable"
    unloadable.touch()
    service.start_worker("one", TOY_UNLOADABLE=str(unloadable))
    service.ask("waiting", "add", a=1, b=1)
    eventually(lambda: fault_of(service) is not None, "out of service")

    assert "load their libraries" in str(fault_of(service))
    unloadable.unlink()
    assert service.wait("waiting", lambda toy: toy.state == "succeeded").attempts == 1

"""Reasons why no worker computes an evaluation. No worker runs."""

import re
from collections.abc import Callable, Iterator
from functools import partial

import httpx
import pytest
from sqlalchemy import update

from app.evaluations import stall_reasons
from app.jobs import worker_registry
from app.jobs.library_tables import workflows
from app.jobs.queue import JobQueue
from app.jobs.worker_registry import WorkerRegistry
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs, eventually
from tests.app.evaluations.market import data, evaluate, market
from tests.app.test_metrics import metrics

HELD = data(10)


@pytest.fixture
def silent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count a worker as silent right after its heartbeat."""
    monkeypatch.setattr(worker_registry, "SILENT_SECONDS", 0)
    monkeypatch.setattr(stall_reasons, "SILENT_SECONDS", 0)


@pytest.fixture
def idle(service: Service) -> Iterator[WorkerRegistry]:
    """A worker's row and lock, without a worker process."""
    registry = WorkerRegistry(service.database, "one", 2)
    registry.register()
    yield registry
    registry.deregister()


def reason(buyer: Party, evaluation_id: str) -> str:
    said: str = buyer.get(f"/v1/evaluations/{evaluation_id}").json()["reason"]
    return said


@pytest.mark.usefixtures("silent_at_once", "idle")
def test_evaluations_report_that_all_workers_are_silent(
    http: Callable[..., Party], anonymous: httpx.Client, service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    running, waiting = evaluate(buyer, request_id), evaluate(buyer, request_id)
    assert Jobs(service).evaluations.prepare(running)

    reasons = [reason(buyer, each) for each in (running, waiting)]
    counts = metrics(anonymous)

    assert [re.sub(r"for \d+ s", "for … s", each) for each in reasons] == [
        f"No worker has sent a heartbeat for … s. The evaluation {comes} when a worker does "
        "again, or another worker starts."
        for comes in ("goes on", "begins")
    ]
    assert (counts["wassay_workers",], counts["wassay_workers_silent",]) == (1, 1)
    buyer.post(f"/v1/requests/{request_id}/cancel")


@pytest.mark.usefixtures("silent_at_once")
def test_a_running_evaluation_reports_that_no_worker_is_running(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    assert Jobs(service).evaluations.prepare(evaluation_id)

    said = reason(buyer, evaluation_id)

    assert said == "No worker is running. The evaluation goes on when one starts."
    buyer.post(f"/v1/requests/{request_id}/cancel")


def test_only_jobs_of_a_silent_worker_report_it_while_others_send_heartbeats(
    http: Callable[..., Party],
    service: Service,
    idle: WorkerRegistry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_registry, "SILENT_SECONDS", 1)
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    whole, part, free = (evaluate(buyer, request_id) for _ in range(3))
    silent = WorkerRegistry(service.database, "silent", 2)
    silent.register()
    took(service, "silent", [whole, f"{part}.1"])

    def says(evaluation_id: str, words: str) -> bool:
        return not idle.renew() and reason(buyer, evaluation_id).startswith(words)

    for evaluation_id in (whole, part):
        eventually(
            partial(says, evaluation_id, "A worker that computes the evaluation"), "reported"
        )
    eventually(partial(says, free, "Position"), "left alone")

    silent.deregister()
    buyer.post(f"/v1/requests/{request_id}/cancel")


@pytest.mark.usefixtures("silent_at_once")
def test_evaluations_report_that_each_worker_has_a_fault_or_is_silent(
    http: Callable[..., Party], service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_registry, "SILENT_SECONDS", 1)
    silent, faulty = (WorkerRegistry(service.database, name, 2) for name in ("silent", "faulty"))
    silent.register()
    faulty.register()
    faulty.report("the clock is wrong")
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    waiting = evaluate(buyer, request_id)

    def says() -> bool:
        faulty.renew()
        return reason(buyer, waiting).startswith(
            "No worker is in service, because each has reported a fault of its machine to the "
            "operator or has sent no heartbeat for "
        )

    eventually(says, "reported")

    silent.deregister()
    faulty.deregister()
    buyer.post(f"/v1/requests/{request_id}/cancel")


def took(service: Service, worker_id: str, job_ids: list[str]) -> None:
    """Enqueue jobs, and mark them as dequeued by a worker."""
    queue = JobQueue(service.database.engine)
    with service.database.transaction() as session:
        for job_id in job_ids:
            queue.enqueue(session, "evaluation", job_id)
        jobs = workflows(service.database.engine.dialect)
        session.execute(
            update(jobs)
            .where(jobs.c.workflow_uuid.in_(job_ids))
            .values(status="PENDING", executor_id=worker_id)
        )

"""A queue on a fresh database, and real worker processes for it."""

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import text

from app.database import Database
from app.jobs.queue import JobQueue, pending_jobs
from app.jobs.worker_registry import living_workers
from app.settings import Settings
from tests.jobs import toy
from tests.jobs.toy import Toy, ToyBase

# Workers are forked from a process that has loaded what they load, which takes a second.
FORKSERVER = multiprocessing.get_context("forkserver")
FORKSERVER.set_forkserver_preload(["pytest", "tests.jobs.toy"])


class WorkerProcess(psutil.Process):
    """A running worker process, which runs `toy.main`."""

    def __init__(self, environment: dict[str, str], errors: Path | None = None) -> None:
        arguments = environment, errors
        self._process: ForkServerProcess = FORKSERVER.Process(target=run, args=arguments)
        self._process.start()
        super().__init__(self._process.pid)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status from the fork server, whose child the process is."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"still running after {timeout} s"
        return self._process.exitcode


def run(environment: dict[str, str], errors: Path | None) -> None:
    os.environ.update(environment)
    if errors is not None:
        os.dup2(os.open(errors, os.O_CREAT | os.O_WRONLY), 2)
    toy.main()


class Held:
    """A toy job that runs until it is released, however often it is begun."""

    def __init__(self, service: "ToyService", job_id: str, folder: Path) -> None:
        self._let_go = folder / f"{job_id} let go"
        begun = folder / f"{job_id} begun"
        service.ask(job_id, "hold", begun=str(begun), let_go=str(self._let_go))
        eventually(begun.exists, f"{job_id} begun")

    def let_go(self) -> None:
        self._let_go.touch()


class ToyService:
    """A queue with toy jobs, and worker processes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings.resolved_database_url)
        self.queue = JobQueue(self.database.engine)
        self.workers: list[WorkerProcess] = []

    def ask(self, job_id: str, function: str, **arguments: Any) -> None:
        with self.database.transaction() as session:
            toy = Toy(id=job_id, function=function, arguments=json.dumps(arguments))
            session.add(toy)
            self.queue.enqueue(session, "toy", job_id)

    def cancel(self, job_id: str) -> None:
        with self.database.transaction() as session:
            session.get_one(Toy, job_id).state = "cancelled"

    def toy(self, job_id: str) -> Toy:
        with self.database.snapshot() as session:
            return session.get_one(Toy, job_id)

    def wait(self, job_id: str, until: Callable[[Toy], bool], seconds: float = 120) -> Toy:
        eventually(lambda: until(self.toy(job_id)), f"{job_id} as expected", seconds)
        return self.toy(job_id)

    def taken(self) -> dict[str, list[str]]:
        with self.database.snapshot() as session:
            return pending_jobs(session)

    def await_worker(self, worker_id: str) -> None:
        def alive() -> bool:
            with self.database.snapshot() as session:
                return worker_id in [worker.id for worker in living_workers(session)]

        eventually(alive, f"worker {worker_id} alive")

    def start_worker(self, worker_id: str, **settings: str) -> WorkerProcess:
        worker = WorkerProcess(self.environment(worker_id) | settings)
        self.workers.append(worker)
        return worker

    def environment(self, worker_id: str) -> dict[str, str]:
        """Return the environment variables of a worker that computes one job at a time."""
        return {
            "WASSAY_DATABASE_URL": self.settings.resolved_database_url,
            "WASSAY_WORKER_ID": worker_id,
            "WASSAY_WORKER_CONCURRENCY": "1",
            "WASSAY_SOLVE_THREADS": "1",
            "OMP_NUM_THREADS": "2",
        }

    def close(self) -> None:
        for worker in self.workers:
            family = [worker, *worker.children(recursive=True)] if worker.is_running() else []
            for process in family:
                process.kill()
            worker.wait()
        self.database.dispose()


def eventually(true: Callable[[], bool], what: str, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not {what} after {seconds} s"
        time.sleep(0.05)


def descendants(worker: psutil.Process) -> list[psutil.Process]:
    return worker.children(recursive=True)


def gone(processes: list[psutil.Process]) -> bool:
    return not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)


@contextmanager
def toy_service(url: str) -> Iterator[ToyService]:
    service = ToyService(Settings(database_url=url))
    ToyBase.metadata.create_all(service.database.engine)
    try:
        yield service
    finally:
        service.close()


@pytest.fixture
def service(new_database_url: Callable[[], str]) -> Iterator[ToyService]:
    with toy_service(new_database_url()) as service:
        yield service


@pytest.fixture(scope="package")
def working(new_database_url: Callable[[], str]) -> Iterator[ToyService]:
    """One worker with two processes of three threads, for all tests that do not kill it."""
    with toy_service(new_database_url()) as service:
        service.start_worker("one", WASSAY_WORKER_CONCURRENCY="2", WASSAY_SOLVE_THREADS="3")
        yield service


def enqueued(service: ToyService) -> list[str]:
    """Return the ids of all jobs of the queue."""
    with service.database.snapshot() as session:
        schema = "dbos." if session.get_bind().dialect.name == "postgresql" else ""
        return list(session.scalars(text(f"SELECT workflow_uuid FROM {schema}workflow_status")))


def problem_of(service: ToyService, job_id: str) -> dict[str, Any]:
    """Wait until a job has failed, and return its problem."""
    failed = service.wait(job_id, lambda toy: toy.state == "failed")
    body: dict[str, Any] = json.loads(failed.problem or "")
    return body


def succeeds(service: ToyService, job_id: str) -> None:
    """Ask for a job, and wait until it has succeeded."""
    service.ask(job_id, "add", a=1, b=1)
    service.wait(job_id, lambda toy: toy.state == "succeeded")

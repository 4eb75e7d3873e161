"""Workers and processes are killed or stopped: every job succeeds, and is published once."""

import json
import random
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import pytest
from sqlalchemy import select, text

from app.jobs.models import Worker
from app.jobs.worker_registry import living_workers
from tests.jobs.conftest import (
    Held,
    ToyService,
    WorkerProcess,
    descendants,
    eventually,
    gone,
)
from tests.jobs.toy import Toy, toys

KILLS = 20
JOBS = 300


def test_a_worker_killed_amid_a_job_and_started_again_finishes_it_and_publishes_once(
    service: ToyService, tmp_path: Path
) -> None:
    worker = service.start_worker("one")
    held = Held(service, "interrupted", tmp_path)

    kill(worker)
    held.let_go()
    service.start_worker("one")

    done = service.wait("interrupted", lambda toy: toy.state == "succeeded")
    assert (done.attempts, done.publications) == (2, 1)


@pytest.mark.endurance
def test_a_killed_workers_job_is_attempted_by_another_and_three_times_at_most(
    service: ToyService,
) -> None:
    workers = {name: service.start_worker(name) for name in ("one", "two", "three", "four")}
    for name in workers:
        service.await_worker(name)
    service.ask("stranded", "count", steps=400, seconds=0.5)

    for attempt in (1, 2, 3):
        service.wait("stranded", is_begun_again(attempt))
        (holder,) = service.taken()
        kill(workers.pop(holder))

    failed = service.wait("stranded", lambda toy: toy.state == "failed")
    problem = json.loads(failed.problem or "")
    assert (failed.attempts, failed.publications) == (3, 0)
    assert problem["type"] == "/problems/worker-lost"
    assert problem["attempts"] == 3
    eventually(lambda: known(service) == [*workers], "the others forgotten")


def test_the_job_of_a_killed_process_begins_again_and_the_worker_lives_on(
    service: ToyService, tmp_path: Path
) -> None:
    worker = service.start_worker("one")
    held = Held(service, "killed", tmp_path)

    for process in worker.children():
        process.kill()
    service.wait("killed", lambda toy: toy.attempts == 2)
    held.let_go()

    done = service.wait("killed", lambda toy: toy.state == "succeeded")
    assert (done.attempts, done.publications) == (2, 1)
    assert worker.is_running()


def test_processes_die_with_a_killed_worker(service: ToyService) -> None:
    worker = service.start_worker("one")
    service.ask("burning", "count", steps=1, seconds=3600)
    eventually(lambda: service.toy("burning").state == "running", "running")
    family = descendants(worker)
    assert family

    kill(worker)

    eventually(lambda: gone(family), "dead with their worker")


def test_a_second_worker_with_the_id_of_a_living_one_refuses_to_start(
    service: ToyService, tmp_path: Path
) -> None:
    first = service.start_worker("one")
    held = Held(service, "kept", tmp_path)

    errors = tmp_path / "errors"
    second = WorkerProcess(service.environment("one"), errors)

    assert second.wait(timeout=120) == 1
    said = errors.read_text()
    assert "one belongs to another" in said
    assert f"process {first.pid}" in said
    assert "WASSAY_WORKER_ID" in said
    held.let_go()
    done = service.wait("kept", lambda toy: toy.state == "succeeded")
    assert (done.attempts, done.publications) == (1, 1)


@pytest.mark.endurance
def test_a_stopping_worker_lets_a_short_job_finish_and_gives_a_long_one_back(
    service: ToyService, tmp_path: Path
) -> None:
    worker = service.start_worker("one", WASSAY_WORKER_CONCURRENCY="2")
    short, long = (Held(service, name, tmp_path) for name in ("short", "long"))
    family = descendants(worker)

    worker.terminate()
    time.sleep(1)
    short.let_go()

    assert worker.wait(timeout=120) == 0
    assert gone(family)
    assert service.toy("short").state == "succeeded"
    given_back = service.toy("long")
    assert (given_back.state, given_back.attempts) == ("waiting", 0)
    with service.database.snapshot() as session:
        assert list(living_workers(session)) == []
    long.let_go()
    service.start_worker("two")
    done = service.wait("long", lambda toy: toy.state == "succeeded")
    assert (done.attempts, done.publications) == (1, 1)


@pytest.mark.endurance
def test_three_hundred_jobs_under_twenty_kills_all_succeed_and_are_published_once(
    service: ToyService,
) -> None:
    chance = random.Random(4)  # noqa: S311 - whom it kills is no secret
    names = [f"job {number}" for number in range(JOBS)]
    for name in names:
        service.ask(name, "nap", seconds=0.2)
    workers = {name: service.start_worker(name) for name in ("one", "two")}

    for kills in range(KILLS):
        # Kill at regular times, but never let a job lose its last attempt: it would rightly fail.
        done = JOBS * kills // (KILLS + 1)
        eventually(partial(are_at_work, service, done), "at work")
        time.sleep(chance.uniform(0, 0.3))
        eventually(lambda: may_be_hit(service) != [], "a worker that may be hit")
        name = chance.choice(may_be_hit(service) or list(workers))
        processes = workers[name].children()
        if processes and chance.random() < 0.5:
            chance.choice(processes).kill()
        else:
            kill(workers[name])
            workers[name] = service.start_worker(name)
    eventually(lambda: succeeded(service) == JOBS, "all succeeded")

    assert [toy.publications for toy in toys(service.database)] == [1] * JOBS
    assert max(toy.attempts for toy in toys(service.database)) > 1  # some jobs were interrupted
    check_integrity(service)


def known(service: ToyService) -> list[str]:
    with service.database.snapshot() as session:
        return list(session.scalars(select(Worker.id)))


def kill(worker: psutil.Process) -> None:
    worker.send_signal(signal.SIGKILL)
    worker.wait()


def succeeded(service: ToyService) -> int:
    return sum(toy.state == "succeeded" for toy in toys(service.database))


def is_begun_again(attempt: int) -> Callable[[Toy], bool]:
    return lambda toy: toy.attempts == attempt


def are_at_work(service: ToyService, done: int) -> bool:
    """Return whether at least `done` jobs have succeeded, and some worker has a job."""
    return succeeded(service) >= done and at_work(service) != []


def at_work(service: ToyService) -> list[str]:
    """Return the living workers that have jobs."""
    with service.database.snapshot() as session:
        living = [worker.id for worker in living_workers(session)]
    return [name for name in living if name in service.taken()]


def may_be_hit(service: ToyService) -> list[str]:
    """Return the busy workers whose jobs have an attempt left after the current one."""
    taken = service.taken()
    return [
        name
        for name in at_work(service)
        if all(
            service.toy(job).attempts < service.settings.max_attempts - 1
            for job in taken.get(name, [])
        )
    ]


def check_integrity(service: ToyService) -> None:
    with service.database.snapshot() as session:
        if service.database.engine.dialect.name == "sqlite":
            assert session.scalar(text("PRAGMA integrity_check")) == "ok"
            assert session.execute(text("PRAGMA foreign_key_check")).all() == []
        else:
            session.execute(text("SELECT count(*) FROM dbos.workflow_status"))

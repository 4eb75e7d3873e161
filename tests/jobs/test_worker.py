"""Workers and their processes: every job is computed once, even if processes die."""

import json

import psutil

from tests.jobs.conftest import ToyService, descendants, eventually, gone


def test_progress_is_stored_while_a_job_runs_but_not_at_every_step(working: ToyService) -> None:
    service = working
    service.ask("long", "count", steps=30, seconds=0.1)

    running = service.wait("long", lambda toy: toy.progress != "")
    done = service.wait("long", lambda toy: toy.state == "succeeded")

    assert running.state == "running"
    seen = [int(step.split("/")[0]) for step in done.progress.split()]
    assert seen == sorted(set(seen))
    assert 1 < len(seen) < 30  # at most one a second


def test_jobs_run_at_the_same_time_up_to_the_workers_limit(service: ToyService) -> None:
    worker = service.start_worker("one", WASSAY_WORKER_CONCURRENCY="2")
    for name in ("first", "second", "third"):
        service.ask(name, "burn")

    service.wait("second", lambda toy: toy.state == "running")
    eventually(lambda: len(descendants(worker)) == 4, "two processes, each with a child")

    assert service.toy("first").state == "running"
    assert service.toy("third").state == "waiting"


def test_all_processes_of_a_cancelled_job_end(
    working: ToyService,
) -> None:
    service, (worker,) = working, working.workers
    service.ask("burning", "burn")
    eventually(lambda: busy_family(worker) != [], "a process with a child")
    family = busy_family(worker)

    service.cancel("burning")

    eventually(lambda: gone(family), "every process gone")
    assert service.toy("burning").state == "cancelled"
    service.ask("next", "add", a=1, b=1)
    service.wait("next", lambda toy: toy.state == "succeeded")


def test_a_job_cancelled_while_it_waits_is_never_begun(service: ToyService) -> None:
    service.ask("waiting", "add", a=1, b=1)
    service.cancel("waiting")
    service.ask("next", "add", a=1, b=1)
    service.start_worker("one", WASSAY_WORKER_CONCURRENCY="1")

    service.wait("next", lambda toy: toy.state == "succeeded")

    waiting = service.toy("waiting")
    assert (waiting.state, waiting.attempts, waiting.publications) == ("cancelled", 0, 0)


def test_a_process_is_reused_for_the_next_job(working: ToyService) -> None:
    service = working
    for number in range(5):
        service.ask(f"small {number}", "add", a=number, b=1)

    outputs = [
        json.loads(service.wait(f"small {n}", lambda toy: toy.output is not None).output or "")
        for n in range(5)
    ]

    assert [output["sum"] for output in outputs] == [1, 2, 3, 4, 5]
    assert len({output["pid"] for output in outputs}) <= 2


def test_a_process_gets_its_threads_and_none_of_the_settings(working: ToyService) -> None:
    service = working
    service.ask("chatty", "chatter")

    done = service.wait("chatty", lambda toy: toy.state == "succeeded")

    assert json.loads(done.output or "") == {"limits": ["3", False]}


def busy_family(worker: psutil.Process) -> list[psutil.Process]:
    """Return the worker's process that has a child process, and the child."""
    for process in worker.children():
        if own := process.children():
            return [process, *own]
    return []

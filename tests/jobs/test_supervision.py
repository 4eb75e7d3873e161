"""A worker ends the jobs that were cancelled or take too long."""

import re

import psutil

from tests.jobs.conftest import (
    ToyService,
    eventually,
    gone,
    problem_of,
    succeeds,
)


def busy_family(worker: psutil.Process) -> list[psutil.Process]:
    """Return the worker's process that has a child process, and the child."""
    for process in worker.children():
        if own := process.children():
            return [process, *own]
    return []


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


def test_a_computation_beyond_the_time_limit_reports_what_it_needs(
    service: ToyService,
) -> None:
    worker = service.start_worker("one", WASSAY_SOLVE_SECONDS="2")
    succeeds(service, "first")  # so that a process has started
    service.ask("slow", "count", steps=1000, seconds=0.05)

    problem = problem_of(service, "slow")

    assert problem["type"] == "/problems/too-long"
    assert problem["limit_seconds"] == 2
    said = re.search(
        r"not done after 2 s, .*; (\d+) of 1000 problems were solved", problem["detail"]
    )
    assert said
    done = int(said[1])  # 40 on an idle machine
    assert problem["needed_seconds"] == 2 * 1000 / done
    assert 0 < done < 1000
    succeeds(service, "next")
    assert worker.is_running()

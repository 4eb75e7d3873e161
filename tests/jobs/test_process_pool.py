"""The pool of solver processes, with real processes."""

import json

from app.jobs.process_pool import ProcessLimits, ProcessPool
from tests.jobs.conftest import (
    ToyService,
)


def test_a_process_that_is_released_after_the_pool_was_closed_ends() -> None:
    pool = ProcessPool(ProcessLimits(threads=1, memory_bytes=2**33, seconds=60), ["json"])
    process = pool.acquire()
    process.await_ready()
    pool.close()
    assert process.alive
    pool.release(process)
    assert not process.alive


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

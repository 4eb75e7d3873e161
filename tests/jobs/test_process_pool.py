"""The pool of solver processes, with real processes."""

from app.jobs.process_pool import ProcessLimits, ProcessPool


def test_a_process_that_is_released_after_the_pool_was_closed_ends() -> None:
    pool = ProcessPool(ProcessLimits(threads=1, memory_bytes=2**33, seconds=60), ["json"])
    process = pool.acquire()
    process.await_ready()
    pool.close()
    assert process.alive
    pool.release(process)
    assert not process.alive

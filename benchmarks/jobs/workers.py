"""Measure how several workers share the queue, and take over from workers that were killed.

Jobs sleep instead of computing, so that a machine of two cores can run four workers.
"""

import signal
import statistics
import time

from tests.jobs.conftest import eventually, toy_service
from tests.jobs.toy import toys

SHARING = ("one", "two", "three", "four")
CHUNKS = 64
CHUNK_SECONDS = 1.0
TAKEOVERS = 5


def measure_sharing(kind: str, url: str) -> None:
    with toy_service(url) as service:
        for name in SHARING:
            service.start_worker(name, WASSAY_WORKER_CONCURRENCY="1")
        for name in SHARING:
            service.await_worker(name)
        time.sleep(2)  # until their solver processes have loaded their libraries
        began = time.perf_counter()
        for number in range(CHUNKS):
            service.ask(f"chunk {number}", "nap", seconds=CHUNK_SECONDS)
        eventually(
            lambda: all(toy.state == "succeeded" for toy in toys(service.database)), "all ended"
        )
        took = time.perf_counter() - began
    ideal = CHUNKS * CHUNK_SECONDS / len(SHARING)
    print(
        f"{kind}, {CHUNKS} chunks that wait {CHUNK_SECONDS:g} s, {len(SHARING)} workers of one "
        f"place: {took:.1f} s, {took / ideal:.2f} of the ideal {ideal:g} s"
    )


def measure_takeover(kind: str, url: str) -> None:
    seconds = []
    with toy_service(url) as service:
        workers = {name: service.start_worker(name) for name in ("one", "two")}
        for name in workers:
            service.await_worker(name)
        for number in range(TAKEOVERS):
            job = f"stranded {number}"
            service.ask(job, "nap", seconds=3600)
            service.wait(job, lambda toy: toy.state == "running")
            (holder,) = service.taken()
            workers[holder].send_signal(signal.SIGKILL)
            began = time.perf_counter()
            service.wait(job, lambda toy: toy.attempts == 2)
            seconds.append(time.perf_counter() - began)
            service.cancel(job)
            eventually(lambda: service.taken() == {}, "nothing runs")
            workers[holder].wait()
            workers[holder] = service.start_worker(holder)
            service.await_worker(holder)
    print(
        f"{kind}, a worker is killed {TAKEOVERS} times, until another begins its job again: "
        f"median {statistics.median(seconds):.1f} s, worst {max(seconds):.1f} s"
    )

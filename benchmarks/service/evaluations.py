"""Compare evaluations with the same solves by the library.

`python -m benchmarks.service.evaluations [sqlite|postgres]` prints the ratio of both times.
"""

# The service also looks for anomalies, counts coverage, and stores scores and the result.

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

import httpx
import numpy as np
import psutil
from numpy.typing import NDArray

from app.database import Database
from app.evaluations import repository
from app.evaluations.computing.process_messages import EvaluationTask, StoreTask
from app.evaluations.jobs.task_builder import task_of
from benchmarks.jobs.__main__ import ask, await_end, databases
from tests.e2e.service import Party, parties, running_service
from wassay import Buyer, Request, Seller

BUYER_POINTS, DIMENSIONS, SELLERS = 2000, 512, 4
LOOK_SECONDS = 0.05
THREADS = "OMP_NUM_THREADS"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("database", nargs="?", default="sqlite", choices=("sqlite", "postgres"))
    parser.add_argument("--points", type=int, default=500, help="points of each seller")
    parser.add_argument(
        "--threads", type=int, default=1, help="threads of each process that solves"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = databases(chosen.database, folder, stack)()
        settings = {
            "WASSAY_DATABASE_URL": url,
            "WASSAY_LOG_LEVEL": "WARNING",
            "WASSAY_WORKER_CONCURRENCY": "1",
            "WASSAY_SOLVE_THREADS": str(chosen.threads),
        }
        service = stack.enter_context(running_service(folder, settings))
        new = stack.enter_context(parties(service))
        buyer = new("buyer")
        sellers = [new("seller", name=f"Seller {number}") for number in range(SELLERS)]
        asked = request(buyer, sellers, chosen.points)
        headers = {"Authorization": f"Bearer {buyer.key}"}
        http = stack.enter_context(httpx.Client(base_url=service.url, headers=headers, timeout=60))
        in_service(http, asked)  # not counted
        database = Database(url)
        stack.callback(database.dispose)
        store = StoreTask(folder=str(service.data_folder / "arrays"), bucket=None)
        task = the_task(database, str(ask(http, asked)), store)
        await_end(http, task.evaluation_id, LOOK_SECONDS)
        library = stack.enter_context(Library(task, chosen.threads))
        library.solve()
        ours, direct = [], []
        for _ in range(chosen.rounds):
            direct.append(library.solve())
            ours.append(in_service(http, asked))
            (seconds, used), (library_seconds, library_used) = ours[-1], direct[-1]
            print(
                f"{chosen.database}, {BUYER_POINTS} points and {SELLERS} sellers of "
                f"{chosen.points}, d = {DIMENSIONS}: service {seconds:.2f} s, library "
                f"{library_seconds:.2f} s; of a processor {used:.2f} and {library_used:.2f} s",
                flush=True,
            )
        ratios = [
            statistics.median(each[of] for each in ours)
            / statistics.median(each[of] for each in direct)
            for of in (0, 1)
        ]
        print(f"{chosen.database}: ratio {ratios[0]:.2f}, in processor time {ratios[1]:.2f}")


def request(buyer: Party, sellers: list[Party], points: int) -> Request:
    """Ask for the sellers' contributions, and answer with normal points."""
    random = np.random.default_rng(3)
    asked = Buyer(buyer.client).ask(
        random.normal(size=(BUYER_POINTS, DIMENSIONS)),
        title="Benchmark",
        sellers=[each.account_id for each in sellers],
    )
    for number, seller in enumerate(sellers):
        Seller(seller.client).answer(
            asked.id, random.normal(0.1 * number, 1, size=(points, DIMENSIONS))
        )
    return asked


def in_service(http: httpx.Client, asked: Request) -> tuple[float, float]:
    """Evaluate once; return the seconds from the beginning to the result, and of a processor."""
    used = -processor_seconds()
    evaluation = ask(http, asked)
    await_end(http, evaluation, LOOK_SECONDS)
    used += processor_seconds()
    read = http.get(f"/v1/evaluations/{evaluation}").json()
    began, ended = (datetime.fromisoformat(read[name]) for name in ("started_at", "finished_at"))
    return (ended - began).total_seconds(), used


def processor_seconds() -> float:
    """Return the processor seconds of the worker and of its solver processes."""
    total = 0.0
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if any(name.startswith("wassay.server.") for name in each.cmdline()):
                times = each.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
    return total


def the_task(database: Database, evaluation_id: str, store: StoreTask) -> EvaluationTask:
    """Return the task of an evaluation, which names the arrays."""
    with database.snapshot() as session:
        evaluation = repository.read(session, evaluation_id)
        if evaluation is None:
            raise ValueError(f"evaluation {evaluation_id} does not exist")
        return task_of(session, evaluation, store)


class Library:
    """A process that solves the transport problems of a task whenever it reads a line."""

    def __init__(self, task: EvaluationTask, threads: int) -> None:
        names = (THREADS, "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", __spec__.name, "--library"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **dict.fromkeys(names, str(threads))},
        )
        self._send(task.model_dump_json())

    def __enter__(self) -> "Library":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def solve(self) -> tuple[float, float]:
        """Solve once; return the seconds, and the seconds of a processor."""
        self._send("")
        assert self._process.stdout is not None
        seconds, processor = json.loads(self._process.stdout.readline())
        return seconds, processor

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()


def library() -> None:
    """Solve the task of the first line for every further line, and print the times."""
    task = EvaluationTask.model_validate_json(sys.stdin.readline())
    for _ in sys.stdin:
        began, used = time.perf_counter(), time.process_time()
        solve(task)
        times = time.perf_counter() - began, time.process_time() - used
        print(json.dumps(times), flush=True)


def solve(task: EvaluationTask) -> None:
    """Solve and score what an evaluation solves and scores, from the stored arrays."""
    from wassay.transport import Market, Measure, SellerCosts, resample, subproblems

    def points(digest: str) -> NDArray[np.float64]:
        return np.asarray(np.load(Path(task.store.folder) / "sha256" / digest[:2] / digest[2:]))

    buyer = Measure(points(task.buyer.digest))
    measures = {
        each.contribution_id: {a.s: Measure(points(a.digest)) for a in each.arrays}
        for each in task.sellers
    }
    costs = [
        SellerCosts.from_measures(name, by_s, buyer, task.order) for name, by_s in measures.items()
    ]
    market = Market(buyer.weights, costs, task.sweep, p=task.order)
    for _ in market.solve(subproblems(list(measures), task.sweep, leave_one_out=True)):
        pass
    for seller in task.sellers:
        digests = [task.buyer.digest, *(array.digest for array in seller.arrays)]
        seed = int.from_bytes(hashlib.sha256("".join(digests).encode()).digest()[:16])
        resample(buyer, measures[seller.contribution_id], seed)


if __name__ == "__main__":
    library() if "--library" in sys.argv else main()

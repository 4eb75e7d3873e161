"""Measure a user's calls while another attacks: `python -m benchmarks.fairness sqlite [attack …]`.

The attacks are those of `benchmarks.fairness.attacker`; all by default.
"""

# Results on SQLite, with two cores that eight other people used (load 5 to 20, so the service had a
# quarter of a core). Each number is the p95 under attack divided by the p95 of the idle service:
#
# | attack | calls | calls, in processor time of the web process | evaluations |
# |---|---|---|---|
# | 800 connections with half-sent headers | 1.0 | 0.9 | 2.2 |
# | large JSON with a valid key | 1.1 | 1.3 | 1.1 |
# | 300 event streams, opened again and again | 6.7 | 7.3 | 2.1 |
# | all at once | 23 | 11 | 6.5 |
# | all at once, idle machine, since opening a stream counts as ten requests | 11 | 16 | 2.7 |
# | the same, since fingerprints of uploads let other threads work | 5.6, 7.3 | 7.6, 9.3 | 2.3 |
# | all at once, idle machine, large bodies parsed elsewhere | 1.5, 2.4 | 1.2, 2.1 | 1.2, 1.4 |
# | the same, the attacker at `nice` 19 | 1.2 | 1.2 | 1.3 |
# | the same, on Postgres | 1.6 | 1.5 | 1.3 |
#
# The aim is 3. If others compute on the machine, an attacker at `nice` 19 hardly gets to attack, so
# compare the printed numbers of the attacker's calls before you compare ratios. Switching threads
# ten times as often did not help, and neither did handling one request of a key at a time instead
# of two.

import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psutil

from app.arrays import npy
from benchmarks.fairness.attacker import Target
from benchmarks.jobs.__main__ import FINISHED, databases
from tests.e2e.service import Service, running_service
from wassay import Buyer, Client, Request, Seller

ROUNDS = 20
IN_PROCESSOR_TIME = "calls, in processor time of the web process"
"""The processor seconds that the web process uses during a call, for all callers together."""
CPUCLOCK_SCHED = 2
ROUND_SECONDS = 0.5
PROCESSES = ("wassay serve", "server.worker", "process_entry", "fairness.attacker")
POLL_SECONDS = 0.05
Seconds = dict[str, list[float]]


def main() -> None:
    kind = sys.argv[1] if len(sys.argv) > 1 else "sqlite"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        settings = {
            "WASSAY_LOG_LEVEL": "WARNING",
            "WASSAY_DATABASE_URL": databases(kind, folder, stack)(),
            "WASSAY_REQUESTS_PER_MINUTE": "1200",
        }
        service = stack.enter_context(running_service(folder, settings))
        user, users_request = market(service, "User")
        attacker, attackers_request = market(service, "Attacker")
        http = stack.enter_context(
            httpx.Client(
                base_url=service.url, headers={"Authorization": f"Bearer {user}"}, timeout=120
            )
        )
        time.sleep(5)  # until the worker's children are warm
        measure(http, users_request, 4)
        began = processor_seconds(), time.perf_counter()
        idle = measure(http, users_request, ROUNDS)
        print(f"shares of a processor, idle: {shares(*began)}")
        with attacked(service, attacker, attackers_request, sys.argv[2:]) as outcomes:
            time.sleep(5)
            began = processor_seconds(), time.perf_counter()
            busy = measure(http, users_request, ROUNDS)
            used = shares(*began)
        report(kind, idle, busy, outcomes)
        print(f"  shares of a processor: {used}")


def web_process() -> psutil.Process:
    """Return the service's web process."""
    return next(
        each
        for each in psutil.Process().children(recursive=True)
        if "wassay serve" in " ".join(each.cmdline())
    )


def used_seconds(process: psutil.Process) -> float:
    """Return the processor seconds that a process has used, ended threads included."""
    clock = (~process.pid << 3) | CPUCLOCK_SCHED  # as clock_getcpuclockid(3) makes it
    return time.clock_gettime(clock)


def processor_seconds() -> dict[str, float]:
    """Return the processor seconds that each kind of process has used."""
    seconds: dict[str, float] = defaultdict(float)
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            times, words = process.cpu_times(), " ".join(process.cmdline())
            name = next((each for each in PROCESSES if each in words), "others")
            seconds[name] += times.user + times.system
    return seconds


def shares(before: dict[str, float], began: float) -> dict[str, float]:
    """Return how many processors each kind of process has used on average since `began`."""
    elapsed = time.perf_counter() - began
    return {
        name: round((seconds - before.get(name, 0.0)) / elapsed, 2)
        for name, seconds in processor_seconds().items()
    }


def market(service: Service, organisation: str) -> tuple[str, Request]:
    """Make a buyer's tiny request with one contribution; return the buyer's key and the request."""
    random = np.random.default_rng(3)
    accounts = [
        service.operator.accounts.create(organisation=name, name=name)
        for name in (organisation, f"Seller of {organisation}")
    ]
    keys = service.operator.accounts.create_key
    buyer = keys(accounts[0].id, scopes=["buyer"]).key
    seller = keys(accounts[1].id, scopes=["seller"]).key
    with Client(service.url, buyer) as asking, Client(service.url, seller) as answering:
        Seller(answering).publish_key()
        request = Buyer(asking).ask(
            random.normal(size=(20, 3)), title="Benchmark", sellers=[accounts[1].id]
        )
        Seller(answering).answer(request.id, random.normal(0.5, 1, size=(20, 3)))
    return buyer, request


def measure(http: httpx.Client, request: Request, rounds: int) -> Seconds:
    """Return the seconds that each kind of call took."""
    seconds: Seconds = defaultdict(list)

    web = web_process()

    def call(method: str, path: str, **options: Any) -> httpx.Response:
        began, used = time.perf_counter(), used_seconds(web)
        answer = http.request(method, path, **options)
        seconds["calls"].append(time.perf_counter() - began)
        seconds[IN_PROCESSOR_TIME].append(used_seconds(web) - used)
        answer.raise_for_status()
        return answer

    reference = http.get(f"/v1/requests/{request.id}").json()["reference_id"]
    array = npy.to_bytes(np.zeros((20, 3)))
    for _ in range(rounds):
        began = time.perf_counter()
        terms = {"title": "Draft", "reference_id": reference, "audience": "invited"}
        draft = call("POST", "/v1/requests", json=terms).json()["id"]
        headers = {"Content-Type": "application/x-npy"}
        call("PUT", f"/v1/requests/{draft}/measure", content=array, headers=headers)
        call("GET", f"/v1/requests/{request.id}/evaluations?limit=10")
        asked = time.perf_counter()
        path = f"/v1/requests/{request.id}/evaluations"
        evaluation = call("POST", path, json={}).json()["id"]
        while call("GET", f"/v1/evaluations/{evaluation}").json()["state"] not in FINISHED:
            time.sleep(POLL_SECONDS)
        seconds["evaluations"].append(time.perf_counter() - asked)
        time.sleep(max(0.0, ROUND_SECONDS - (time.perf_counter() - began)))
    return seconds


@contextmanager
def attacked(
    service: Service, key: str, request: Request, attacks: list[str]
) -> Iterator[dict[str, int]]:
    """Attack while the block runs; the yielded dict is filled with the outcomes at the end."""
    outcomes: dict[str, int] = {}
    with httpx.Client(
        base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=120
    ) as http:
        evaluation = http.post(f"/v1/requests/{request.id}/evaluations", json={}).json()["id"]
        reference = http.get(f"/v1/requests/{request.id}").json()["reference_id"]
        terms = {"title": "Draft", "reference_id": reference, "audience": "invited"}
        draft = http.post("/v1/requests", json=terms).json()["id"]
    target = Target(service.url, key, request.id, evaluation, draft, attacks)
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.fairness.attacker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(vars(target)) + "\n")
    process.stdin.flush()
    try:
        yield outcomes
    finally:
        process.terminate()
        printed, _ = process.communicate(timeout=60)
        outcomes.update(json.loads(printed))


def report(kind: str, idle: Seconds, busy: Seconds, outcomes: dict[str, int]) -> None:
    print(f"{kind}, {ROUNDS} rounds of one user, idle and under attack by another:")
    for name in idle:
        before, after = (quantiles(each[name]) for each in (idle, busy))
        print(
            f"  {name}: p50 {before[0]:.0f} and {after[0]:.0f} ms, "
            f"p95 {before[1]:.0f} and {after[1]:.0f} ms, {after[1] / before[1]:.1f} times"
        )
    print("  the attacker's calls:")
    for name, count in outcomes.items():
        print(f"    {name}: {count}")


def quantiles(seconds: list[float]) -> tuple[float, float]:
    """Return the median and the 95th percentile in milliseconds."""
    p50, p95 = np.quantile(seconds, [0.5, 0.95])
    return 1000 * p50, 1000 * p95


if __name__ == "__main__":
    main()

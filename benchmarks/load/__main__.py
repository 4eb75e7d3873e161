"""Mixed load during an upgrade and a downgrade: `python -m benchmarks.load [MINUTES]`.

Prints how many calls were made and failed, and the quantities that should not grow.
"""

# The next version, which has a migration, runs in the second third; this version runs in the
# others.

import os
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np
import psutil
from sqlalchemy import create_engine

from app.settings import Settings
from benchmarks.load.samples import Sample, sample
from benchmarks.load.users import Calls, Pair
from tests.e2e.processes import Process, eventually, run
from tests.e2e.test_outages import Postgres, new_key, ready
from tests.e2e.test_upgrade import next_version
from tests.nginx import HOST, running_nginx
from tests.object_store import free_ports, object_store
from tests.second_revision import HEAD
from wassay import Client, Seller
from wassay.models import Caps

PAIRS = 3
SAMPLE_SECONDS = 5
THIRDS = ("this version", "the next version", "this version again")


class Fleet:
    """Two web processes and two workers, each of which can be replaced by another version."""

    def __init__(self, stack: ExitStack, folder: Path, ports: list[int]) -> None:
        self._stack, self._folder, self._ports = stack, folder, ports
        self.webs: list[Process] = []
        self.workers: list[Process] = []

    def start_web(self, settings: dict[str, str], place: int) -> Process:
        port = self._ports[place]
        own = settings | {"WASSAY_DATA_FOLDER": str(self._folder / f"web-{place}")}
        web = self._start(own, "serve", "--no-worker", "--port", str(port))
        eventually(lambda: web.process.poll() is None and answers(port), "ready", 600)
        return web

    def start_worker(self, settings: dict[str, str], place: int) -> Process:
        own = settings | {"WASSAY_DATA_FOLDER": str(self._folder / f"worker-{place}")}
        worker = self._start(own, "worker")
        worker.says("worker started", 600)
        return worker

    def start(self, settings: dict[str, str]) -> None:
        self.webs = [self.start_web(settings, place) for place in range(2)]
        self.workers = [self.start_worker(settings, place) for place in range(2)]

    def replace(self, settings: dict[str, str]) -> None:
        """Replace the workers, then the web processes, one after another."""
        for place in range(2):
            stop(self.workers[place])
            self.workers[place] = self.start_worker(settings, place)
        for place in range(2):
            stop(self.webs[place])
            self.webs[place] = self.start_web(settings, place)

    def _start(self, settings: dict[str, str], *arguments: str) -> Process:
        return self._stack.enter_context(Process(self._folder, settings, *arguments))


def stop(process: Process) -> None:
    process.process.terminate()
    process.process.wait(120)


def answers(port: int) -> bool:
    try:
        return ready(f"http://{HOST}:{port}")
    except httpx.TransportError:
        return False


def main() -> None:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(object_store(made(folder / "store")))
        postgres = Postgres(folder / "postgres")
        stack.callback(postgres.delete)
        ports = free_ports(HOST, 2)
        old = {
            **postgres.settings,
            **store.environment,
            "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
            "WASSAY_RECEIPT_KEY_FILE": str(folder / "receipt-key"),
            "WASSAY_ROOT_PATH": "/wassay",
            "WASSAY_REQUESTS_PER_MINUTE": "1000000",
            "WASSAY_WORKER_CONCURRENCY": "1",
            "PYTHONSAFEPATH": "1",
        }
        new = old | next_version(folder / "next", HEAD)
        run(old, "migrate")
        fleet = Fleet(stack, folder, ports)
        fleet.start(old)
        upstream = " ".join(f"server {HOST}:{port} max_fails=0;" for port in ports)
        proxy = stack.enter_context(
            running_nginx(
                made(folder / "nginx"),
                ports[0],
                {
                    f"http://{HOST}:{ports[0]};": "http://webs;",
                    "server {": f"upstream webs {{ ip_hash; {upstream} }}\nserver {{",
                },
            )
        )
        os.environ["SSL_CERT_FILE"] = str(proxy.certificate)
        calls = Calls()
        pairs = [new_pair(stack, old, proxy.url, calls) for _ in range(PAIRS)]
        stopping = threading.Event()
        users = [
            threading.Thread(target=pair.deal, args=(stopping, seed))
            for seed, pair in enumerate(pairs)
        ]
        for user in users:
            user.start()
        samples = observed(fleet, old, new, minutes * 60)
        stopping.set()
        for user in users:
            user.join()
    report(calls, samples)


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def new_pair(stack: ExitStack, settings: dict[str, str], url: str, calls: Calls) -> Pair:
    buyer, seller = (
        stack.enter_context(Client(url, new_key(settings, scope))) for scope in ("buyer", "seller")
    )
    seller_id = seller.accounts.me().id
    seller.accounts.set_caps(seller_id, Caps(questions=None))
    Seller(seller).publish_key()
    return Pair(buyer, seller, seller_id, calls)


def observed(
    fleet: Fleet, old: dict[str, str], new: dict[str, str], seconds: float
) -> list[list[Sample]]:
    """Sample the fleet in thirds: before an upgrade, after the upgrade, and after the downgrade."""
    engine = create_engine(Settings(database_url=old["WASSAY_DATABASE_URL"]).resolved_database_url)
    samples: list[list[Sample]] = []
    for version in (None, new, old):
        if version is not None:
            began = time.monotonic()
            run(version, "migrate")
            fleet.replace(version)
            print(f"all processes replaced in {time.monotonic() - began:.0f} s", flush=True)
        samples.append([])
        end = time.monotonic() + seconds / 3
        while time.monotonic() < end:
            time.sleep(SAMPLE_SECONDS)
            webs = [psutil.Process(each.process.pid) for each in fleet.webs]
            workers = [psutil.Process(each.process.pid) for each in fleet.workers]
            busy = max(webs, key=lambda each: each.memory_info().rss)
            samples[-1].append(sample(engine, busy, workers))
        print({name: round(value, 1) for name, value in samples[-1][-1].items()}, flush=True)
    engine.dispose()
    return samples


def report(calls: Calls, samples: list[list[Sample]]) -> None:
    print("\n| calls | number | median, s | slowest, s |\n|---|---|---|---|")
    for kind, seconds in calls.seconds.items():
        print(f"| {kind} | {len(seconds)} | {np.median(seconds):.2f} | {max(seconds):.1f} |")
    print(f"\nfailed calls: {len(calls.failures)}")
    for failure in calls.failures:
        print(f"  {failure}")
    print(f"\n| medians of both halves of the time of | {' | '.join(THIRDS)} |")
    print("|---|---|---|---|")
    for name in samples[0][0]:
        cells = []
        for third in samples:
            values = [each[name] for each in third]
            half = len(values) // 2
            cells.append(f"{np.median(values[:half]):.0f}, {np.median(values[half:]):.0f}")
        print(f"| {name} | {' | '.join(cells)} |")
    for name, third in zip(THIRDS, samples, strict=True):
        grown = third[-1]["KiB of the database"] - third[0]["KiB of the database"]
        done = third[-1]["succeeded evaluations"] - third[0]["succeeded evaluations"]
        print(f"{name}: {done:.0f} evaluations, {grown / max(done, 1):.1f} KiB of database each")
    sys.exit(bool(calls.failures))


if __name__ == "__main__":
    main()

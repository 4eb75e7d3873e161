"""Break one thing after another for half a minute, and print what users saw.

Arguments select faults by name; the exit status is 1 if any evaluation failed.
"""

# This needs Linux and root, because a worker's disk is a small file system in memory.

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import numpy as np
from sqlalchemy import create_engine, text

from app.settings import Settings
from benchmarks.failures.watch import Watch
from tests.e2e.processes import Process, eventually, run
from tests.e2e.test_outages import Postgres, new_key, ready
from tests.object_store import SECRET, free_ports, object_store
from tests.relay import Relay, run_relay
from wassay import Buyer, Client, Seller

FAULT_SECONDS = 30
DISK_BYTES = 64 * 2**20
WORKERS = ("ada", "bob")
random = np.random.default_rng(8)
HEAD = """\
| for half a minute | by plain HTTP | slowest evaluation, s | SDK's errors | well again after, s |
|---|---|---|---|---|"""
Fault = Callable[[], Callable[[], None]]
"""Breaks something, and returns what mends it."""


class StoreRelay(Relay):
    """A relay in front of the object store, which the program can cut off."""

    def handle_error(self, *_: object) -> None:
        """Log nothing about connections while the store is cut off."""


class Machines:
    """The processes of a service, and the ways to break them."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._folder = folder
        (folder / "store").mkdir()
        store = stack.enter_context(object_store(folder / "store"))
        self.between = stack.enter_context(run_relay(StoreRelay(store.address)))
        self.postgres = Postgres(folder / "postgres")
        stack.callback(self.postgres.delete)
        (self.port,) = free_ports("127.0.0.1", 1)
        self.url = f"http://127.0.0.1:{self.port}"
        shared = {name: text for name, text in store.environment.items() if "SECRET" not in name}
        self._settings = {
            **self.postgres.settings,
            **shared,
            "AWS_ENDPOINT_URL": self.between.address,
            "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
            "WASSAY_RECEIPT_KEY_FILE": str(folder / "receipt-key"),
            "WASSAY_REQUESTS_PER_MINUTE": "1000000",
        }
        for name in ("web", *WORKERS, "cay"):
            (folder / name).mkdir()
            self.secret(name).write_text(SECRET)
        disk = ("mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder / "ada")
        subprocess.run(disk, check=True)  # noqa: S603 - our own words
        stack.callback(unmount, folder / "ada")
        run(self.settings("web"), "migrate")
        self.processes: dict[str, Process] = {}
        stack.callback(self.stop)
        for name in ("web", *WORKERS):
            self.start(name)

    def settings(self, name: str) -> dict[str, str]:
        return {
            **self._settings,
            "WASSAY_DATA_FOLDER": str(self._folder / name),
            "WASSAY_WORKER_ID": name,
            "AWS_SECRET_ACCESS_KEY_FILE": str(self.secret(name)),
        }

    def secret(self, name: str) -> Path:
        return self._folder / f"{name}-secret"

    def start(self, name: str) -> None:
        web = ("serve", "--no-worker", "--port", str(self.port))
        arguments = web if name == "web" else ("worker",)
        started = Process(self._folder, self.settings(name), *arguments)
        self.processes[name] = started
        if name == "web":
            eventually(self.is_ready, "ready", 600)
        else:
            started.says("worker started", 600)

    def is_ready(self) -> bool:
        try:
            return ready(self.url)
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        for each in self.processes.values():
            each.process.send_signal(signal.SIGCONT)
            each.process.terminate()
            each.process.wait(120)

    def kill(self, name: str) -> Callable[[], None]:
        self.processes[name].process.kill()
        return lambda: self.start(name)

    def freeze(self, name: str) -> Callable[[], None]:
        self.processes[name].process.suspend()
        return self.processes[name].process.resume

    def stop_postgres(self) -> Callable[[], None]:
        self.postgres.stop()
        return self.postgres.start

    def silence_store(self) -> Callable[[], None]:
        self.between.silent = True

        def mend() -> None:
            self.between.silent = False

        return mend

    def close_store(self) -> Callable[[], None]:
        target = self.between.target
        self.between.target = ("127.0.0.1", free_ports("127.0.0.1", 1)[0])

        def mend() -> None:
            self.between.target = target

        return mend

    def spoil_secret(self, *names: str) -> Callable[[], None]:
        for name in names:
            self.secret(name).write_text("guessed")

        def mend() -> None:
            for name in names:
                self.secret(name).write_text(SECRET)

        return mend

    def add_late_worker(self) -> Callable[[], None]:
        """Start a worker whose clock is an hour late."""
        late = ("-m", "tests.late_clock", "3600", "app.worker")
        environment = {**os.environ, **self.settings("cay")}
        with (self._folder / "late.log").open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - our own words
                [sys.executable, *late], env=environment, stdout=log, stderr=log
            )
        return process.terminate

    def fill_disk(self) -> Callable[[], None]:
        ballast = self._folder / "ada" / "ballast"
        try:
            with ballast.open("wb") as file:
                while True:
                    file.write(bytes(2**20))
                    file.flush()
        except OSError:
            pass
        return ballast.unlink


def unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S603, S607 - our own words


def main() -> None:
    with ExitStack() as stack:
        machines = Machines(stack, Path(stack.enter_context(tempfile.TemporaryDirectory())))
        faults: dict[str, Fault] = {
            "nothing": lambda: lambda: None,
            "the web process is killed": lambda: machines.kill("web"),
            "a worker is killed": lambda: machines.kill("ada"),
            "a worker is frozen": lambda: machines.freeze("ada"),
            "Postgres is stopped": machines.stop_postgres,
            "the store closes connections": machines.close_store,
            "the store accepts and never responds": machines.silence_store,
            "a worker's disk is full": machines.fill_disk,
            "a worker has a wrong secret": lambda: machines.spoil_secret("ada"),
            "all have a wrong secret": lambda: machines.spoil_secret("web", *WORKERS),
            "one more worker's clock is an hour late": machines.add_late_worker,
        }
        if chosen := sys.argv[1:]:
            faults = {name: faults[name] for name in chosen}
        watch = stack.enter_context(watched(machines))
        print(HEAD, flush=True)
        for name, fault in faults.items():
            print(f"| {name} | {row(watch, fault)} |", flush=True)
        watch.stop()
        failed = states(machines)
        print(f"\nevaluations: {failed}")
        print(run(machines.settings("web"), "workers"))
    sys.exit(failed.keys() != {"succeeded"})


@contextmanager
def watched(machines: Machines) -> Iterator[Watch]:
    with ExitStack() as stack:
        keys = [new_key(machines.settings("web"), scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(machines.url, key)) for key in keys)
        Seller(seller).publish_key()
        request = Buyer(buyer).ask(
            random.normal(size=(400, 4)), title="Four", sellers=[seller.accounts.me().id]
        )
        Seller(seller).answer(request.id, random.normal(0.3, 1.0, size=(400, 4)))
        watch = Watch(request, machines.url, keys[0])
        watch.start()
        try:
            yield watch
        finally:
            watch.stop()


def row(watch: Watch, fault: Fault) -> str:
    """Break something, mend it, and return a row on what users saw until all was well again."""
    started = time.monotonic()
    eventually(lambda: watch.evaluated_since(started), "evaluated", 900)
    began = time.monotonic()
    mend = fault()
    time.sleep(max(0.0, began + FAULT_SECONDS - time.monotonic()))
    mend()
    mended = time.monotonic()
    eventually(lambda: watch.evaluated_since(mended), "evaluated", 900)
    well = next(s.ended for s in watch.evaluations if s.began > mended and s.outcome == "")
    evaluations = [each for each in watch.evaluations if each.ended > began]
    reads = [each for each in watch.reads if each.ended > began]
    seen = [
        f"{outcome} for {sum(r.ended - r.began for r in reads if r.outcome == outcome):.0f} s"
        for outcome in dict.fromkeys(each.outcome for each in reads)
        if outcome
    ]
    slowest = max(each.ended - each.began for each in evaluations)
    errors = Counter(each.outcome.partition(":")[0] for each in evaluations if each.outcome)
    counted = ", ".join(f"{number} {error}" for error, number in errors.items()) or "none"
    cells = (", ".join(seen) or "nothing", f"{slowest:.0f}", counted, f"{well - mended:.0f}")
    return " | ".join(cells)


def states(machines: Machines) -> dict[str, int]:
    url = machines.settings("web")["WASSAY_DATABASE_URL"]
    engine = create_engine(Settings(database_url=url).resolved_database_url)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT state, count(*) FROM evaluations GROUP BY state"))
        found: dict[str, int] = {row[0]: row[1] for row in rows}
    engine.dispose()
    return found


if __name__ == "__main__":
    main()

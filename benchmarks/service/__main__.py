"""Compare the service with bare applications: `python -m benchmarks.service [sqlite|postgres]`.

A ratio is the service's median speed divided by that of the bare application.
"""

import argparse
import hashlib
import statistics
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from app.accounts.service import issue_key
from app.database import Database
from benchmarks.jobs.__main__ import databases
from benchmarks.service.reads import Reads, read_again_and_again
from benchmarks.service.transfers import (
    ROWS,
    download,
    upload,
    watched_memory,
    write_array,
)
from tests.e2e.service import Party, Service, parties, running_service

CLIENTS = (1, 200)
READING_SECONDS = 5.0
NPY = "application/x-npy"


@dataclass(frozen=True)
class Server:
    """A running application, and the process that serves it."""

    address: tuple[str, int]
    process: psutil.Process

    def processor_seconds(self) -> float:
        """Return the processor seconds that the process and its children have used."""
        living = [self.process, *self.process.children(recursive=True)]
        times = [each.cpu_times() for each in living]
        return sum(each.user + each.system for each in times)


@dataclass(frozen=True)
class Cost:
    """The seconds and the server's processor seconds that a measured action took."""

    seconds: float
    processor: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("database", nargs="?", default="sqlite", choices=("sqlite", "postgres"))
    parser.add_argument(
        "--gibibytes", type=float, default=1.0, help="size of the transfers; 0 leaves them out"
    )
    parser.add_argument(
        "--memory",
        type=float,
        default=4.0,
        help="gibibytes of the upload whose memory is measured; 0 leaves it out",
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = databases(chosen.database, folder, stack)()
        settings = {
            "WASSAY_DATABASE_URL": url,
            "WASSAY_MAX_UPLOAD_BYTES": str(2**33),
            "WASSAY_ACCOUNT_BYTES": str(2**36),
        }
        service = stack.enter_context(running_service(folder, settings, "--no-worker"))
        ours = Server(_address(service.url), _child("wassay serve"))
        bare = stack.enter_context(_bare_server(url, folder))
        new = stack.enter_context(parties(service))
        if chosen.gibibytes:
            _compare_transfers(service, new("buyer"), ours, bare, folder, chosen)
        if chosen.memory:
            _measure_memory(service, new("buyer"), ours, folder, chosen.memory)
        _compare_reads(service, new("buyer"), ours, bare, url, chosen)


def _compare_transfers(
    service: Service,
    buyer: Party,
    ours: Server,
    bare: Server,
    folder: Path,
    chosen: argparse.Namespace,
) -> None:
    columns = round(chosen.gibibytes * 2**30 / 8 / ROWS)
    file = folder / "array.npy"
    write_array(file, columns)
    path = f"/v1/requests/{_draft(service, buyer, columns)}/measure"
    headers = {"Authorization": f"Bearer {buyer.key}", "Content-Type": NPY}
    resumable = headers | _whole_range(file)
    print(f"{ROWS:,} × {columns:,} float64, {file.stat().st_size / 2**30:.2f} GiB:")
    _print_ratios(
        chosen.rounds,
        bare=lambda: _upload(bare, "/upload", file, {}),
        others={
            "bare, with SHA-256 and fsync": lambda: _upload(bare, "/durably", file, {}),
            "upload": lambda: _upload(ours, path, file, headers),
            "upload that can be resumed": lambda: _upload(ours, path, file, resumable),
        },
    )
    _print_ratios(
        chosen.rounds,
        bare=lambda: _download(bare, "/download", file, {}),
        others={"download": lambda: _download(ours, path, file, headers)},
    )
    file.unlink()


def _measure_memory(
    service: Service, buyer: Party, ours: Server, folder: Path, gibibytes: float
) -> None:
    columns = round(gibibytes * 2**30 / 8 / ROWS)
    file = folder / "array.npy"
    write_array(file, columns)
    path = f"/v1/requests/{_draft(service, buyer, columns)}/measure"
    headers = {"Authorization": f"Bearer {buyer.key}", "Content-Type": NPY}
    with watched_memory(ours.process) as memory:
        _upload(ours, path, file, headers)
    print(
        f"anonymous memory of the web process during an upload of "
        f"{file.stat().st_size / 2**30:.2f} GiB: {memory['before'] / 2**20:.0f} MiB before, "
        f"{(memory['most'] - memory['before']) / 2**20:.0f} MiB more at most"
    )
    file.unlink()


def _compare_reads(
    service: Service,
    buyer: Party,
    ours: Server,
    bare: Server,
    url: str,
    chosen: argparse.Namespace,
) -> None:
    request = _draft(service, buyer, 20)
    paths = {"ours": f"/v1/requests/{request}", "bare": f"/requests/{request}"}
    keys = _issue_keys(url, buyer.account_id, max(CLIENTS))
    for clients in CLIENTS:
        rounds: dict[str, list[tuple[Reads, float]]] = {"bare": [], "ours": [], "empty": []}
        for _ in range(chosen.rounds):
            for name, server, path in (
                ("empty", bare, "/empty"),
                ("bare", bare, paths["bare"]),
                ("ours", ours, paths["ours"]),
            ):
                before = server.processor_seconds()
                reads = read_again_and_again(server.address, path, keys[:clients], READING_SECONDS)
                used = server.processor_seconds() - before
                rounds[name].append((reads, used / (reads.per_second * READING_SECONDS)))
        print(f"GET of a request, {chosen.database}, clients: {clients}")
        speeds = {}
        for name, measured in rounds.items():
            speeds[name] = statistics.median(reads.per_second for reads, _ in measured)
            p50 = statistics.median(reads.p50 for reads, _ in measured)
            p99 = statistics.median(reads.p99 for reads, _ in measured)
            processor = 1000 * statistics.median(each for _, each in measured)
            print(
                f"  {name}: {speeds[name]:.0f} a second, p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
                f"processor {processor:.2f} ms a read"
            )
        print(f"  ours by bare: {speeds['ours'] / speeds['bare']:.2f}")


def _print_ratios(
    rounds: int, *, bare: Callable[[], Cost], others: dict[str, Callable[[], Cost]]
) -> None:
    costs: dict[str, list[Cost]] = {name: [] for name in ("bare", *others)}
    for _ in range(rounds):
        costs["bare"].append(bare())
        for name, measure in others.items():
            costs[name].append(measure())
    medians = {
        name: Cost(
            statistics.median(each.seconds for each in measured),
            statistics.median(each.processor for each in measured),
        )
        for name, measured in costs.items()
    }
    for name, cost in medians.items():
        print(
            f"  {name}: {cost.seconds:.2f} s, {cost.processor:.2f} s of a processor, "
            f"{medians['bare'].seconds / cost.seconds:.2f} of the bare speed, "
            f"{medians['bare'].processor / cost.processor:.2f} in processor time"
        )


def _upload(server: Server, path: str, file: Path, headers: dict[str, str]) -> Cost:
    before = server.processor_seconds()
    seconds, status = upload(server.address, path, file, headers)
    assert status in {200, 201}, status
    return Cost(seconds, server.processor_seconds() - before)


def _download(server: Server, path: str, file: Path, headers: dict[str, str]) -> Cost:
    before = server.processor_seconds()
    seconds, size = download(server.address, path, headers)
    assert size == file.stat().st_size, size
    return Cost(seconds, server.processor_seconds() - before)


def _whole_range(file: Path) -> dict[str, str]:
    """Return the headers that the SDK sends with a large array, so that it can be resumed."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").digest()
    size = file.stat().st_size
    return {
        "Content-Range": f"bytes 0-{size - 1}/{size}",
        "Repr-Digest": f"sha-256=:{b64encode(digest).decode()}:",
    }


def _draft(service: Service, buyer: Party, dimension: int) -> str:
    """Create a draft request for points of a dimension, and return its id."""
    headers = {"Authorization": f"Bearer {buyer.key}"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=60) as http:
        reference = {"size": 1, "dimension": dimension, "distribution": {"kind": "normal"}}
        created = http.post("/v1/references", json=reference).raise_for_status().json()
        terms = {"title": "Benchmark", "reference_id": created["id"]}
        return str(http.post("/v1/requests", json=terms).raise_for_status().json()["id"])


def _issue_keys(url: str, account_id: str, number: int) -> list[str]:
    """Issue several keys, because the service limits how many calls of a key run at a time."""
    database = Database(url)
    with database.transaction() as session:
        keys = [
            issue_key(session, account_id=account_id, scopes=["buyer"]).key for _ in range(number)
        ]
    database.dispose()
    return keys


@contextmanager
def _bare_server(url: str, folder: Path) -> Iterator[Server]:
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "benchmarks.service.bare", url, str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        address = next(
            _address(word)
            for line in process.stderr
            for word in line.split()
            if word.startswith("http://")
        )
        yield Server(address, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.wait()


def _address(url: str) -> tuple[str, int]:
    parsed = httpx.URL(url)
    assert parsed.port is not None
    return parsed.host, parsed.port


def _child(command: str) -> psutil.Process:
    return next(
        each
        for each in psutil.Process().children(recursive=True)
        if command in " ".join(each.cmdline())
    )


if __name__ == "__main__":
    main()

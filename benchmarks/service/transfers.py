"""Send a file to a service, or receive one, with hardly any work on the client's side."""

import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import psutil

from benchmarks.service.reads import END_OF_HEADERS

BUFFER_BYTES = 2**20
SAMPLE_SECONDS = 0.02
ROWS = 100_000


def write_array(path: Path, columns: int) -> None:
    """Write an array of normal float64 numbers with `ROWS` rows."""
    random = np.random.default_rng(1)
    array = np.lib.format.open_memmap(path, "w+", np.float64, (ROWS, columns))
    for start in range(0, ROWS, 1000):
        array[start : start + 1000] = random.normal(size=(1000, columns))
    array.flush()


def upload(
    address: tuple[str, int], path: str, file: Path, headers: Mapping[str, str]
) -> tuple[float, int]:
    """Send a file with PUT; return the seconds until the response, and its status."""
    size = file.stat().st_size
    began = time.perf_counter()
    with socket.create_connection(address) as connection, file.open("rb") as body:
        lines = {"Host": "wassay", "Content-Length": str(size), **headers}
        head = [f"PUT {path} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items())]
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        sent = 0
        while sent < size:
            sent += os.sendfile(connection.fileno(), body.fileno(), sent, size - sent)
        answer = connection.recv(BUFFER_BYTES)
    return time.perf_counter() - began, int(answer.split()[1])


def download(address: tuple[str, int], path: str, headers: Mapping[str, str]) -> tuple[float, int]:
    """Receive a file with GET; return the seconds until its end, and its size."""
    began = time.perf_counter()
    received, size = bytearray(), None
    buffer = bytearray(BUFFER_BYTES)
    with socket.create_connection(address) as connection:
        lines = {"Host": "wassay", **headers}
        head = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items())]
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        while END_OF_HEADERS not in received:
            received += connection.recv(BUFFER_BYTES)
        answer, _, start = bytes(received).partition(END_OF_HEADERS)
        size = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        missing = size - len(start)
        while missing:
            missing -= connection.recv_into(buffer)
    return time.perf_counter() - began, size


@contextmanager
def watched_memory(process: psutil.Process) -> Iterator[dict[str, int]]:
    """Record a process's anonymous memory at the start of the block, and the most during it."""
    seen = {"before": anonymous_bytes(process)}
    seen["most"] = seen["before"]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            seen["most"] = max(seen["most"], anonymous_bytes(process))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        ended.set()
        thread.join()


def anonymous_bytes(process: psutil.Process) -> int:
    """Return the anonymous memory of a process, as Linux counts it."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return 1024 * int(status.partition("RssAnon:")[2].split()[0])

"""Read one request again and again, as one client or as many, each with its own key."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

END_OF_HEADERS = b"\r\n\r\n"


@dataclass(frozen=True)
class Reads:
    """The reads per second, and the median and 99th percentile of their milliseconds."""

    per_second: float
    p50: float
    p99: float


def read_again_and_again(
    address: tuple[str, int], path: str, keys: Sequence[str], seconds: float
) -> Reads:
    """Read a path over one connection for each key, without a pause, for some seconds."""
    durations = asyncio.run(_all_clients(address, path, keys, seconds))
    p50, p99 = np.quantile(durations, [0.5, 0.99])
    return Reads(len(durations) / seconds, 1000 * float(p50), 1000 * float(p99))


async def _all_clients(
    address: tuple[str, int], path: str, keys: Sequence[str], seconds: float
) -> list[float]:
    durations: list[float] = []
    async with asyncio.TaskGroup() as clients:
        for key in keys:
            clients.create_task(_client(address, path, key, seconds, durations))
    return durations


async def _client(
    address: tuple[str, int], path: str, key: str, seconds: float, durations: list[float]
) -> None:
    reader, writer = await asyncio.open_connection(*address)
    call = f"GET {path} HTTP/1.1\r\nHost: wassay\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        writer.write(call)
        headers = (await reader.readuntil(END_OF_HEADERS)).lower()
        assert headers.startswith(b"http/1.1 200"), headers
        length = headers.partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length))
        durations.append(time.perf_counter() - began)
    writer.close()

"""Attack a service with one key, in several ways at once and almost without a pause.

`python -m benchmarks.fairness.attacker` reads a `Target` in JSON from its input.
"""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx
import numpy as np

from app.arrays import npy

STREAMS = 300
EVALUATIONS = 8
UPLOADS = 4
JSON_BODIES = 4
HALF_SENT_HEADERS = 800
PAUSE_SECONDS = 0.05
UPLOAD_POINTS = (100_000, 3)
# A real attacker computes on other machines, so this one takes no processor time from the service.
# If others compute on the machine, it hardly gets to attack.
NICENESS = 19
LARGE_JSON = json.dumps({"title": "x", "points": [[0.5] * 8] * 20_000})[: 2**20 - 100] + "]]}"


@dataclass
class Target:
    """The attacker's means: a key, a request to evaluate and follow, and a draft.

    `attacks` names the attacks to make; all if there are none.
    """

    url: str
    key: str
    request: str
    evaluation: str
    draft: str
    attacks: list[str]


class Attack:
    """The attacks, and what became of each call."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.outcomes: Counter[str] = Counter()
        self._latest = target.evaluation
        self._http = httpx.AsyncClient(
            base_url=target.url,
            headers={"Authorization": f"Bearer {target.key}"},
            timeout=120,
            limits=httpx.Limits(max_connections=None),
        )
        self._array = npy.to_bytes(np.random.default_rng(1).normal(size=UPLOAD_POINTS))

    async def run(self) -> None:
        attacks = (
            (STREAMS, "stream", self._stream),
            (EVALUATIONS, "evaluation", self._evaluation),
            (UPLOADS, "upload", self._upload),
            (JSON_BODIES, "JSON", self._json),
            (JSON_BODIES, "JSON without a key", self._json_without_a_key),
            (HALF_SENT_HEADERS, "half-sent headers", self._half_sent_headers),
        )
        async with asyncio.TaskGroup() as tasks:
            for number, name, attack in attacks:
                if self._target.attacks and name not in self._target.attacks:
                    continue
                for _ in range(number):
                    tasks.create_task(self._repeat(name, attack))

    async def _repeat(self, name: str, attack: Callable[[], Awaitable[object]]) -> None:
        while True:
            try:
                outcome = await attack()
            except (httpx.TransportError, OSError) as error:
                outcome = type(error).__name__
            self.outcomes[f"{name}: {outcome}"] += 1
            await asyncio.sleep(PAUSE_SECONDS)

    async def _stream(self) -> object:
        path = f"/v1/evaluations/{self._latest}/events"
        async with self._http.stream("GET", path) as stream:
            async for _ in stream.aiter_bytes():
                pass
        return stream.status_code

    async def _evaluation(self) -> object:
        path = f"/v1/requests/{self._target.request}/evaluations"
        answer = await self._http.post(path, json={})
        if answer.is_success:
            self._latest = answer.json()["id"]
        return answer.status_code

    async def _upload(self) -> object:
        path = f"/v1/requests/{self._target.draft}/measure"
        headers = {"Content-Type": "application/x-npy"}
        return (await self._http.put(path, content=self._array, headers=headers)).status_code

    async def _json(self, **headers: str) -> object:
        headers |= {"Content-Type": "application/json"}
        answer = await self._http.post("/v1/listings", content=LARGE_JSON, headers=headers)
        return answer.status_code

    async def _json_without_a_key(self) -> object:
        return await self._json(Authorization="Bearer wsy_00000000_unknown")

    async def _half_sent_headers(self) -> object:
        address = httpx.URL(self._target.url)
        reader, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(b"GET /v1/accounts/me HTTP/1.1\r\nHost: wassay\r\nX-")
        try:
            return (await reader.read(12)).decode()
        finally:
            writer.close()


async def main() -> None:
    os.nice(NICENESS)
    attack = Attack(Target(**json.loads(sys.stdin.readline())))
    running = asyncio.create_task(attack.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        print(json.dumps(dict(sorted(attack.outcomes.items()))))


if __name__ == "__main__":
    asyncio.run(main())

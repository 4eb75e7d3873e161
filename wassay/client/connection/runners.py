"""Run flows: send their calls and wait for their pauses, blocking or on an event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any

import httpx

from wassay.client.connection.flows import Call, Flow, Pause
from wassay.client.errors import InvalidArgumentError

Step = Callable[[], Call | Pause]


class BlockingRunner:
    """Runs flows in the caller's thread."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def __call__(self, flow: Flow[Any], /) -> Any:
        """Run a flow and return its value."""
        step: Step = partial(next, flow)
        while True:
            try:
                effect = step()
            except StopIteration as end:
                return end.value
            try:
                step = partial(flow.send, self._do(effect))
            except BaseException as error:  # noqa: BLE001 - the flow handles it
                step = partial(flow.throw, error)

    def _do(self, effect: Call | Pause) -> httpx.Response | None:
        if isinstance(effect, Pause):
            time.sleep(effect.seconds)
            return None
        _require_open(self._http)
        return self._http.request(
            effect.method,
            effect.url,
            params=effect.query,
            json=effect.json,
            content=effect.content,
            headers=effect.headers,
        )


class AwaitingRunner:
    """Runs flows as coroutines; the computation between two calls runs in a thread."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def __call__(self, flow: Flow[Any], /) -> Any:
        """Run a flow and return its value."""
        step: Step = partial(next, flow)
        while True:
            effect, cancelled = await _run_in_thread(step)
            if isinstance(effect, _End):
                if cancelled is not None:
                    raise cancelled
                return effect.value
            if cancelled is not None:
                step = partial(flow.throw, cancelled)
                continue
            try:
                step = partial(flow.send, await self._do(effect))
            except BaseException as error:  # noqa: BLE001 - the flow handles it
                step = partial(flow.throw, error)

    async def _do(self, effect: Call | Pause) -> httpx.Response | None:
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
            return None
        _require_open(self._http)
        return await self._http.request(
            effect.method,
            effect.url,
            params=effect.query,
            json=effect.json,
            content=None if effect.content is None else _pieces(effect.content),
            headers=effect.headers,
        )


def _require_open(http: httpx.Client | httpx.AsyncClient) -> None:
    """Raise if a client was closed.

    Raises
    ------
    InvalidArgumentError
        If it was.
    """
    if http.is_closed:
        raise InvalidArgumentError(
            "expected an open client, received one that was closed: make another, or call within "
            "its with block"
        )


class _End:
    """The value of a finished flow; a StopIteration cannot be raised out of a thread."""

    def __init__(self, value: Any) -> None:
        self.value = value


async def _run_in_thread(
    step: Step,
) -> tuple[Call | Pause | _End, asyncio.CancelledError | None]:
    """Run a step in a thread; if cancelled, await its end, as a thread cannot be stopped."""
    working = asyncio.ensure_future(asyncio.to_thread(_run_step, step))
    try:
        return await asyncio.shield(working), None
    except asyncio.CancelledError as cancelled:
        return await working, cancelled


def _run_step(step: Step) -> Call | Pause | _End:
    try:
        return step()
    except StopIteration as end:
        return _End(end.value)


async def _pieces(body: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in body:
        yield piece

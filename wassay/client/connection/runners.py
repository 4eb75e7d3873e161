"""Run flows, blocking or on an event loop: send the calls, wait in pauses and show the steps."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any

import httpx

from wassay.client.connection.flows import Call, Effect, Flow, Freeze, Pause, Step
from wassay.client.connection.progress_display import Display
from wassay.errors import InvalidArgumentError

Resume = Callable[[], Effect]


class BlockingRunner:
    """Runs flows in the caller's thread."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def __call__(self, flow: Flow[Any], /) -> Any:
        """Run a flow to its end, and return its value."""
        display = Display()
        try:
            return self._run(flow, display)
        finally:
            display.freeze()

    def _run(self, flow: Flow[Any], display: Display) -> Any:
        resume: Resume = partial(next, flow)
        while True:
            try:
                effect = resume()
            except StopIteration as end:
                return end.value
            try:
                resume = partial(flow.send, self._do(effect, display))
            except BaseException as error:  # noqa: BLE001 - the flow handles it
                resume = partial(flow.throw, error)

    def _do(self, effect: Effect, display: Display) -> httpx.Response | None:
        if isinstance(effect, Pause):
            time.sleep(effect.seconds)
            return None
        if not isinstance(effect, Call):
            _show(effect, display)
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
    """Runs flows as coroutines. The computations between calls run in threads."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def __call__(self, flow: Flow[Any], /) -> Any:
        """Run a flow on the event loop, and return its value."""
        display = Display()
        try:
            return await self._run(flow, display)
        finally:
            display.freeze()

    async def _run(self, flow: Flow[Any], display: Display) -> Any:
        resume: Resume = partial(next, flow)
        while True:
            effect, cancelled = await _run_in_thread(resume)
            if isinstance(effect, _End):
                if cancelled is not None:
                    raise cancelled
                return effect.value
            if cancelled is not None:
                resume = partial(flow.throw, cancelled)
                continue
            try:
                resume = partial(flow.send, await self._do(effect, display))
            except BaseException as error:  # noqa: BLE001 - the flow handles it
                resume = partial(flow.throw, error)

    async def _do(self, effect: Effect, display: Display) -> httpx.Response | None:
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
            return None
        if not isinstance(effect, Call):
            _show(effect, display)
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


def _show(effect: Step | Freeze, display: Display) -> None:
    if isinstance(effect, Step):
        display.show(effect)
    else:
        display.freeze()


def _require_open(http: httpx.Client | httpx.AsyncClient) -> None:
    """Raise if a client was closed.

    Raises
    ------
    InvalidArgumentError
        If the client was closed.
    """
    if http.is_closed:
        raise InvalidArgumentError(
            "expected an open client, received one that was closed: make a new client, or make "
            "calls within its with block"
        )


class _End:
    """Holds the value of a finished flow, because a thread cannot pass on StopIteration."""

    def __init__(self, value: Any) -> None:
        self.value = value


async def _run_in_thread(
    resume: Resume,
) -> tuple[Effect | _End, asyncio.CancelledError | None]:
    """Resume a flow in a thread, and return what it yields next, or its value as an `_End`.

    If the caller is cancelled meanwhile, the second element is the cancellation; otherwise None.
    """
    working = asyncio.ensure_future(asyncio.to_thread(_resume, resume))
    try:
        return await asyncio.shield(working), None
    except asyncio.CancelledError as cancelled:
        # A thread cannot be stopped, so wait for its end.
        return await working, cancelled


def _resume(resume: Resume) -> Effect | _End:
    try:
        return resume()
    except StopIteration as end:
        return _End(end.value)


async def _pieces(body: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in body:
        yield piece

"""Running flows: the one place where bytes leave, and where somebody waits."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any

import httpx

from wassay.client.connection.flows import Call, Flow, Pause

Step = Callable[[], Call | Pause]


class BlockingRunner:
    """Runs flows in the caller's thread."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def __call__(self, flow: Flow[Any], /) -> Any:
        """Run a flow, and return what it returns."""
        step: Step = partial(next, flow)
        while True:
            try:
                effect = step()
            except StopIteration as end:
                return end.value
            try:
                step = partial(flow.send, self._do(effect))
            except BaseException as error:  # noqa: BLE001 - it is the flow's to handle
                step = partial(flow.throw, error)

    def _do(self, effect: Call | Pause) -> httpx.Response | None:
        if isinstance(effect, Pause):
            time.sleep(effect.seconds)
            return None
        return self._http.request(
            effect.method,
            effect.url,
            params=effect.query,
            json=effect.json,
            content=effect.content,
            headers=effect.headers,
        )


class AwaitingRunner:
    """Runs flows as coroutines; what they compute between two calls, in a thread of its own."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def __call__(self, flow: Flow[Any], /) -> Any:
        """Run a flow, and return what it returns."""
        step: Step = partial(next, flow)
        while True:
            effect, cancelled = await _worked(step)
            if isinstance(effect, _End):
                if cancelled is not None:
                    raise cancelled
                return effect.value
            if cancelled is not None:
                step = partial(flow.throw, cancelled)
                continue
            try:
                step = partial(flow.send, await self._do(effect))
            except BaseException as error:  # noqa: BLE001 - it is the flow's to handle
                step = partial(flow.throw, error)

    async def _do(self, effect: Call | Pause) -> httpx.Response | None:
        if isinstance(effect, Pause):
            await asyncio.sleep(effect.seconds)
            return None
        return await self._http.request(
            effect.method,
            effect.url,
            params=effect.query,
            json=effect.json,
            content=None if effect.content is None else _pieces(effect.content),
            headers=effect.headers,
        )


class _End:
    """A flow came to its end; a thread cannot hand a StopIteration over."""

    def __init__(self, value: Any) -> None:
        self.value = value


async def _worked(
    step: Step,
) -> tuple[Call | Pause | _End, asyncio.CancelledError | None]:
    """Go one step in a thread; which cannot be stopped, so that who cancels waits for its end."""
    working = asyncio.ensure_future(asyncio.to_thread(_stepped, step))
    try:
        return await asyncio.shield(working), None
    except asyncio.CancelledError as cancelled:
        return await working, cancelled


def _stepped(step: Step) -> Call | Pause | _End:
    try:
        return step()
    except StopIteration as end:
        return _End(end.value)


async def _pieces(body: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in body:
        yield piece

"""Awaited operations do not block the event loop, and cancelled ones leave nothing half done."""

import asyncio
import threading
from collections.abc import Generator
from typing import Any

import pytest

from tests.client.answers import account, later, request
from tests.client.conftest import KEY, Answer, Received, ScriptedServer
from wassay import AsyncClient
from wassay.client import ConnectionFailedError, NotFoundError
from wassay.client.connection.flows import Pause
from wassay.client.connection.runners import AwaitingRunner
from wassay.models import Request

PATIENCE = 30


def test_calls_are_repeated_and_refused_as_those_that_are_waited_for(
    server: ScriptedServer,
) -> None:
    not_found = {"type": "/problems/not-found", "title": "", "status": 404, "detail": "None such."}
    server.script = [later(503), Answer(None), Answer(201, account()), Answer(404, not_found)]

    async def call() -> None:
        async with AsyncClient(server.url, KEY) as client:
            made = await client.accounts.create(organisation="Acme", name="Ada")
            assert made.id == "acc_1"
            with pytest.raises(NotFoundError, match="None such"):
                await client.accounts.get("acc_2")

    asyncio.run(call())
    keys = [each.headers.get("Idempotency-Key") for each in server.received]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert {each.headers["Authorization"] for each in server.received} == {f"Bearer {KEY}"}


def test_calls_are_under_way_at_the_same_time(server: ScriptedServer) -> None:
    both = threading.Barrier(2, timeout=PATIENCE)

    def together(_: Received) -> Answer:
        both.wait()
        return Answer(200, account())

    server.script = [together, together]

    async def call() -> list[str]:
        async with AsyncClient(server.url, KEY) as client:
            found = await asyncio.gather(client.accounts.me(), client.accounts.me())
            return [each.id for each in found]

    assert asyncio.run(call()) == ["acc_1", "acc_1"]


def test_a_list_is_read_page_after_page(server: ScriptedServer) -> None:
    def pages() -> list[Answer]:
        first = {"items": [request(id="req_2")], "next_cursor": "c"}
        return [Answer(200, first), Answer(200, {"items": [request(id="req_1")]})]

    server.script = [*pages(), *pages()]

    async def call() -> tuple[list[str], list[str]]:
        async with AsyncClient(server.url, KEY) as client:
            one_by_one = [each.id async for each in client.requests.list()]
            at_once = [each.id for each in await client.requests.list().all()]
            return one_by_one, at_once

    assert asyncio.run(call()) == (["req_2", "req_1"],) * 2


def test_an_address_without_a_listener_is_named() -> None:
    async def call() -> None:
        async with AsyncClient("http://127.0.0.1:1", KEY) as client:
            await client.accounts.me()

    with pytest.raises(ConnectionFailedError, match=r"127\.0\.0\.1:1"):
        asyncio.run(call())


def run(flow: Generator[Any, Any, Any]) -> Any:
    """Return a coroutine that runs a flow that sends nothing."""
    return AwaitingRunner(None)(flow)  # type: ignore[arg-type]


def test_the_event_loop_goes_on_while_something_is_computed() -> None:
    went_on = threading.Event()

    def computes() -> Generator[Pause, None, bool]:
        yield Pause(0)
        return went_on.wait(PATIENCE)

    async def goes_on() -> None:
        went_on.set()

    async def both() -> bool:
        computed, _ = await asyncio.gather(run(computes()), goes_on())
        return bool(computed)

    assert asyncio.run(both())


def test_a_list_that_is_not_awaited_says_how_it_is_read() -> None:
    pages = AsyncClient("http://127.0.0.1:1", KEY).requests.list()
    with pytest.raises(TypeError, match="async for"):
        next(iter(pages))


@pytest.mark.parametrize("while_", ["pausing", "computing"])
def test_a_cancelled_operation_is_cleaned_up(while_: str) -> None:
    begun = threading.Event()
    done: list[object] = []

    def flow() -> Generator[Pause, None, None]:
        try:
            if while_ == "computing":
                begun.set()
                cancelled.wait(PATIENCE)
            yield Pause(PATIENCE)
        except BaseException:
            yield Pause(0)
            done.append("cleaned up")
            raise

    cancelled = threading.Event()

    async def cancel() -> None:
        task = asyncio.ensure_future(run(flow()))
        await asyncio.sleep(0) if while_ == "pausing" else await asyncio.to_thread(begun.wait)
        await asyncio.sleep(0.05)
        task.cancel()
        cancelled.set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert done == ["cleaned up"]


async def _forgets(client: AsyncClient) -> None:
    client.requests.get("req_1")  # type: ignore[unused-coroutine]


def test_a_forgotten_await_is_told_with_the_operation(server: ScriptedServer) -> None:
    client = AsyncClient(server.url, KEY)
    with pytest.warns(
        RuntimeWarning, match=r"Requests\.get\(\) was not awaited, and so did nothing"
    ):
        asyncio.run(_forgets(client))
    assert server.received == []


def test_the_value_of_an_operation_that_is_not_awaited_says_so(server: ScriptedServer) -> None:
    pending: Any = AsyncClient(server.url, KEY).requests.get("req_1")
    with pytest.raises(AttributeError, match=r"has no title: write \(await ….get\(…\)\)\.title"):
        _ = pending.title
    assert "not awaited" in repr(pending)
    pending.close()


def test_an_operation_can_be_a_task(server: ScriptedServer) -> None:
    server.script = [Answer(200, request())]

    async def run() -> Request:
        async with AsyncClient(server.url, KEY) as client:
            return await asyncio.create_task(client.requests.get("req_1"))

    assert asyncio.run(run()).id == "req_1"

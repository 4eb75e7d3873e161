"""Requests of one key take turns, and those of another do not wait for them."""

import asyncio

import anyio
import pytest

from app.http.concurrency_limit import ConcurrencyLimit


def test_requests_of_one_key_take_turns_and_those_of_another_do_not_wait_for_them() -> None:
    async def handle() -> tuple[list[str], list[str]]:
        limit, done, begun = ConcurrencyLimit(2), anyio.Event(), []

        async def request(key: str, name: str) -> None:
            async with limit.slot(key):
                begun.append(name)
                if key == "busy":
                    await done.wait()

        async with anyio.create_task_group() as tasks:
            for number in range(4):
                tasks.start_soon(request, "busy", f"busy {number}")
            await anyio.wait_all_tasks_blocked()
            await request("other", "other")
            meanwhile = list(begun)
            done.set()
        return meanwhile, begun

    meanwhile, begun = anyio.run(handle)
    assert meanwhile == ["busy 0", "busy 1", "other"]
    assert begun[3:] == ["busy 2", "busy 3"]


@pytest.mark.parametrize("order", ["waits", "comes after"])
def test_a_slot_rests_for_as_long_as_it_was_held_if_another_request_of_the_key_waits(
    order: str,
) -> None:
    async def handle() -> list[str]:
        now, events = 0.0, []
        limit = ConcurrencyLimit(1, rests=True, clock=lambda: now)

        async def next_request() -> None:
            async with limit.slot("key"):
                events.append("next request")

        async with anyio.create_task_group() as tasks:
            async with limit.slot("key"):
                if order == "waits":
                    tasks.start_soon(next_request)
                    await anyio.wait_all_tasks_blocked()
                now = 0.05
                asyncio.get_running_loop().call_later(0.04, events.append, "0.04 s later")
            if order == "comes after":
                await next_request()
            await anyio.sleep(0.05)
        return events

    one_by_one = order == "comes after"
    expected = ["next request", "0.04 s later"] if one_by_one else ["0.04 s later", "next request"]
    assert anyio.run(handle) == expected

"""Heavy functions run in another process, and their errors reach the caller."""

import os
import signal
from collections.abc import Callable
from functools import partial

import anyio
import psutil
import pytest

from app.arrays.problems import InvalidEntry
from app.http.heavy_work import LIGHT_BYTES, NICENESS, HeavyWork
from app.http.problems import Unavailable


def refuse(row: int) -> None:
    raise InvalidEntry("Expected a number.", index=[row, 0])


def vanish() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt() -> int:
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    return os.getpid()


def test_large_data_are_processed_in_another_process_which_ends_with_the_service() -> None:
    async def pids() -> tuple[int, int, int]:
        work = HeavyWork()
        small = await work.run("account", LIGHT_BYTES, os.getpid)
        large = await work.run("account", LIGHT_BYTES + 1, os.getpid)
        assert psutil.Process(large).nice() == max(NICENESS, os.nice(0))
        return small, large, await work.run("account", LIGHT_BYTES + 1, interrupt)

    small, large, interrupted = anyio.run(pids)
    assert small == os.getpid()
    assert large == interrupted != small
    assert not psutil.pid_exists(large)


def test_problems_cross_from_the_process_and_a_vanished_process_is_replaced() -> None:
    async def run() -> tuple[InvalidEntry, int]:
        work = HeavyWork()

        async def fails(kind: type[Exception], function: Callable[[], object]) -> Exception:
            with pytest.raises(kind) as raised:
                await work.run("account", LIGHT_BYTES + 1, function)
            return raised.value

        problem = await fails(InvalidEntry, partial(refuse, 7))
        await fails(Unavailable, vanish)
        assert isinstance(problem, InvalidEntry)
        return problem, await work.run("account", LIGHT_BYTES + 1, os.getpid)

    problem, replaced = anyio.run(run)
    assert problem.body()["index"] == [7, 0]
    assert replaced != os.getpid()

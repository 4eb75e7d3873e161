"""Progress: a bar with the remaining time on terminals, lines in logs, and nothing in scripts."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import pytest

from wassay.client.connection import progress_display as display_module
from wassay.client.connection.flows import Effect, Freeze, Step, Steps
from wassay.client.connection.progress_display import Display
from wassay.client.connection.runners import AwaitingRunner, BlockingRunner

PATIENCE = 60.0
SUBJECT = "evaluation evl_1"


def states(shown: bool | None) -> Generator[Effect, None, str]:
    yield Step(SUBJECT, "waiting", unit="solves", why="Two are before it.", shown=shown)
    for _ in range(2):
        yield Step(SUBJECT, "running", done=3, total=10, unit="solves", shown=shown)
    return "done"


def blocking(flow: Generator[Effect, None, Any]) -> Any:
    return BlockingRunner(None)(flow)  # type: ignore[arg-type]


def awaiting(flow: Generator[Effect, None, Any]) -> Any:
    return asyncio.run(AwaitingRunner(None)(flow))  # type: ignore[arg-type]


RUNS = pytest.mark.parametrize("run", [blocking, awaiting])
Run = Callable[[Generator[Effect, None, Any]], Any]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display_module, "QUIET_SECONDS", 0.0)


def appears(display: Display) -> bool:
    end = time.monotonic() + PATIENCE
    while not display.is_live and time.monotonic() < end:
        time.sleep(0.01)
    return display.is_live


@RUNS
def test_a_log_has_a_line_for_every_change(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(states(shown=True)) == "done"
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.splitlines() == [
        "evaluation evl_1: waiting. Two are before it.",
        "evaluation evl_1: running, 3 of 10 solves",
    ]


@RUNS
@pytest.mark.parametrize("shown", [None, False])
def test_a_script_that_asks_for_nothing_is_not_disturbed(
    run: Run, shown: bool | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(states(shown)) == "done"
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("terminal")
def test_an_operation_that_ends_within_a_second_shows_no_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display_module, "QUIET_SECONDS", PATIENCE)
    assert blocking(states(shown=True)) == "done"
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("terminal", "at_once")
def test_a_terminal_has_a_bar_with_the_remaining_time(capsys: pytest.CaptureFixture[str]) -> None:
    steps, display = Steps("answer", total=10), Display()
    display.show(steps.begin("auditing", weight=3))
    assert appears(display)
    display.show(steps.begin("uploading points"))
    display.freeze()
    written = capsys.readouterr()
    assert written.out == ""
    assert "uploading points" in written.err
    assert "3/10" in written.err
    assert "-:--:--" in written.err  # too early for an estimate


@pytest.mark.usefixtures("terminal", "at_once")
def test_the_bar_is_hidden_while_a_person_is_asked_and_comes_back() -> None:
    display = Display()
    display.show(Step("answer", "auditing"))
    assert appears(display)
    display.freeze()
    assert not display.is_live
    display.show(Step("answer", "uploading"))
    assert appears(display)
    display.freeze()


@pytest.mark.usefixtures("terminal", "at_once")
def test_of_operations_at_the_same_time_one_has_a_bar() -> None:
    first, second = Display(), Display()
    first.show(Step("answer", "auditing"))
    assert appears(first)
    second.show(Step("answer", "auditing"))
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(PATIENCE)
    assert not second.is_live
    second.freeze()
    assert first.is_live
    first.freeze()


@RUNS
@pytest.mark.usefixtures("terminal", "at_once")
def test_the_bar_ends_with_its_operation(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    displays: list[Display] = []

    class Seen(Display):
        def __init__(self) -> None:
            super().__init__()
            displays.append(self)

    def fails() -> Generator[Effect, None, None]:
        yield Step("answer", "auditing")
        assert appears(displays[0])
        yield Freeze()
        assert not displays[0].is_live
        yield Step("answer", "uploading")
        assert appears(displays[0])
        raise LookupError

    monkeypatch.setattr("wassay.client.connection.runners.Display", Seen)
    with pytest.raises(LookupError):
        run(fails())
    assert not displays[0].is_live

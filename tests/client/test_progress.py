"""A person who waits sees a bar with the remaining time; a log gets lines, and a script nothing."""

import pytest

from tests.client import answers
from wassay import models
from wassay.client.evaluation.progress import EvaluationProgress


def states() -> list[models.Evaluation]:
    running = {"state": "running", "progress": {"done": 3, "total": 10}}
    return [
        models.Evaluation(**answers.evaluation(state="waiting", reason="Two are before it.")),
        models.Evaluation(**answers.evaluation(**running)),
        models.Evaluation(**answers.evaluation(**running)),
    ]


def shown(progress: bool | None, capsys: pytest.CaptureFixture[str]) -> str:
    seen = EvaluationProgress(progress)
    for state in states():
        seen.update(state)
    seen.close()
    written = capsys.readouterr()
    assert written.out == ""
    return written.err


def test_a_log_has_a_line_for_every_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(True, capsys).splitlines() == [
        "evaluation evl_1: waiting. Two are before it.",
        "evaluation evl_1: running, 3 of 10 solves",
    ]


@pytest.mark.parametrize("progress", [None, False])
def test_a_script_that_asks_for_nothing_is_not_disturbed(
    progress: bool | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(progress, capsys) == ""


def test_a_terminal_has_a_bar_with_the_remaining_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "120")
    bar = shown(None, capsys)
    assert "running" in bar
    assert "3/10" in bar
    assert "-:--:--" in bar  # too early to tell

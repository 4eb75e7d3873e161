"""The two numbers that stay with the buyer."""

import json
import stat
from pathlib import Path

import pytest

from wassay.client import InvalidArgumentError
from wassay.client.push import Push, load_push, save_push


def test_a_saved_push_is_for_its_owners_eyes_only(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    save_push(path, "req_1", Push(0.35, 1.25))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_push(path) == ("req_1", Push(0.35, 1.25))


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "request.json"
    save_push(path, "req_1", Push(0.35, 1.25))
    with pytest.raises(FileExistsError):
        save_push(path, "req_2", Push(0.5, 0.0))
    assert load_push(path)[0] == "req_1"


def test_every_digit_of_t0_survives(tmp_path: Path) -> None:
    push = Push(0.1 + 0.2, 1 / 3)
    save_push(tmp_path / "request.json", "req_1", push)
    assert load_push(tmp_path / "request.json")[1] == push


def test_nothing_of_a_push_is_shown_in_logs() -> None:
    assert repr(Push(0.35, 1.25)) == "Push()"


@pytest.mark.parametrize("t0", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_t0_lies_strictly_between_the_data_and_the_reference(t0: float) -> None:
    with pytest.raises(InvalidArgumentError, match="strictly between 0"):
        Push(t0, 1.0)


@pytest.mark.parametrize("spread", [-1.0, float("nan")])
def test_a_spread_is_not_negative(spread: float) -> None:
    with pytest.raises(InvalidArgumentError, match="not negative"):
        Push(0.5, spread)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", json.dumps({"request_id": "r", "t0": 2, "projection_spread": 0})]
)
def test_another_file_is_not_taken_for_a_saved_request(tmp_path: Path, content: str) -> None:
    path = tmp_path / "request.json"
    path.write_text(content)
    with pytest.raises(InvalidArgumentError, match="does not hold a saved request"):
        load_push(path)

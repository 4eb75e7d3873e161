import threading
import time

import numpy as np
import pytest
from numpy.typing import NDArray

from wassay.transport import Cancelled, progress, solve
from wassay.transport.progress import INTERVAL_SECONDS, ProgressCallback


def long_problem() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(0)
    return rng.random((4000, 5000)), np.full(4000, 1 / 4000), np.full(5000, 1 / 5000)


def test_an_exception_of_the_caller_ends_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "INTERVAL_SECONDS", 0.0)
    started = []

    def cancel() -> None:
        started.append(time.monotonic())
        raise Cancelled

    with pytest.raises(Cancelled):
        solve(*long_problem(), progress=cancel)
    assert len(started) == 1


def test_uninterruptible_work_is_abandoned() -> None:
    beats = []

    def cancel() -> None:
        beats.append(1)
        if len(beats) == 2:
            raise Cancelled

    released, ended = threading.Event(), threading.Event()

    def work() -> None:
        released.wait()
        ended.set()

    with pytest.raises(Cancelled):
        ProgressCallback(cancel).run_blocking(work)
    assert not ended.is_set()
    released.set()
    assert ended.wait(60)


def test_result_and_error_of_blocking_work_reach_the_caller() -> None:
    assert ProgressCallback(lambda: None).run_blocking(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        ProgressCallback(lambda: None).run_blocking(lambda: 1 // 0)


def test_the_callback_is_called_at_most_a_few_times_a_second() -> None:
    beats = []
    began = time.monotonic()
    progress = ProgressCallback(lambda: beats.append(time.monotonic() - began))
    while len(beats) < 3:
        progress()
    assert all(beat >= INTERVAL_SECONDS * number for number, beat in enumerate(beats, start=1))

import threading
import time

import numpy as np
import pytest

from wassay.transport import Cancelled, solve
from wassay.transport.progress import INTERVAL_SECONDS, ProgressCallback


def long_problem():
    rng = np.random.default_rng(0)
    return rng.random((4000, 5000)), np.full(4000, 1 / 4000), np.full(5000, 1 / 5000)


def test_what_the_caller_raises_ends_a_solve():
    started = []

    def cancel():
        started.append(time.monotonic())
        raise Cancelled

    with pytest.raises(Cancelled):
        solve(*long_problem(), progress=cancel)
    assert len(started) == 1


def test_work_that_cannot_be_interrupted_is_left_behind():
    beats = []

    def cancel():
        beats.append(1)
        if len(beats) == 2:
            raise Cancelled

    released, ended = threading.Event(), threading.Event()

    def work():
        released.wait()
        ended.set()

    with pytest.raises(Cancelled):
        ProgressCallback(cancel).run_blocking(work)
    assert not ended.is_set()
    released.set()
    assert ended.wait(60)


def test_the_result_and_the_error_of_the_work_come_back():
    assert ProgressCallback(lambda: None).run_blocking(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        ProgressCallback(lambda: None).run_blocking(lambda: 1 // 0)


def test_a_caller_is_not_called_more_often_than_a_few_times_a_second():
    beats = []
    began = time.monotonic()
    progress = ProgressCallback(lambda: beats.append(time.monotonic() - began))
    while len(beats) < 3:
        progress()
    assert all(beat >= INTERVAL_SECONDS * place for place, beat in enumerate(beats, start=1))

"""An idle worker polls the queue when jobs were enqueued, and otherwise only every few seconds."""

import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from types import SimpleNamespace
from typing import Any

import pytest
from dbos import DBOS

from app.jobs import queue_poll
from app.jobs.queue_poll import PollEvent, polling
from app.jobs.slots import Slots
from tests.jobs.conftest import ToyService

WAIT_SECONDS = 60


def test_an_idle_worker_looks_at_the_queue_when_a_job_is_enqueued(
    service: ToyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threading.Event()

    def loop(poll_event: PollEvent, library: object, queue: object) -> None:
        while not poll_event.wait(0.001):
            looked.set()

    monkeypatch.setattr(queue_poll, "queue_worker_thread", loop)
    monkeypatch.setattr(DBOS, "retrieve_queue", lambda name: name)
    monkeypatch.setattr(queue_poll, "LINGER_SECONDS", 0.0)
    monkeypatch.setattr(queue_poll, "UNANNOUNCED_POLL_SECONDS", 10 * WAIT_SECONDS)
    library: Any = SimpleNamespace(
        background_thread_stop_events=[], _background_jobs_stop_event=threading.Event()
    )
    with polling(library, service.database.engine, Slots(1)):
        assert looked.wait(WAIT_SECONDS), "for what was enqueued before"
        looked.clear()

        service.ask("asked", "add", a=1, b=1)

        assert looked.wait(WAIT_SECONDS)


def test_an_idle_worker_waits_to_be_woken_and_not_for_the_librarys_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue_poll, "LINGER_SECONDS", 0.0)
    poll_event = PollEvent()
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(poll_event.wait, 0.001)
        with pytest.raises(StillWaiting):
            waiting.result(0.1)

        poll_event.wake()

        assert waiting.result(WAIT_SECONDS) is False


def test_a_wake_during_a_look_at_the_queue_ends_the_next_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue_poll, "LINGER_SECONDS", 0.0)
    monkeypatch.setattr(queue_poll, "UNANNOUNCED_POLL_SECONDS", WAIT_SECONDS)
    poll_event = PollEvent()
    poll_event.wake()
    with ThreadPoolExecutor() as threads:
        assert threads.submit(poll_event.wait).result(WAIT_SECONDS / 2) is False


def test_the_end_of_a_job_has_a_worker_look_at_once_and_then_at_the_librarys_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue_poll, "LINGER_SECONDS", 0.0)
    monkeypatch.setattr(queue_poll, "UNANNOUNCED_POLL_SECONDS", 10 * WAIT_SECONDS)
    poll_event, slots = PollEvent(), Slots(1)
    slots.call_when_jobs_leave(poll_event.job_ended)
    with ThreadPoolExecutor() as threads:
        with slots.slot_for("job"):
            while_it_is_computed = threads.submit(poll_event.wait, 0.001)
            with pytest.raises(StillWaiting):
                while_it_is_computed.result(0.1)
            monkeypatch.setattr(queue_poll, "LINGER_SECONDS", 10 * WAIT_SECONDS)

        assert while_it_is_computed.result(WAIT_SECONDS) is False
        for _ in range(3):
            assert threads.submit(poll_event.wait, 0.001).result(WAIT_SECONDS) is False


def test_a_worker_that_stops_waits_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_poll, "LINGER_SECONDS", 0.0)
    poll_event = PollEvent()
    poll_event.set()

    assert poll_event.wait() is True

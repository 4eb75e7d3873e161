"""The slots of a worker: which jobs get a slot, wait, or are abandoned."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from app.jobs.slots import JobAbandoned, Slots

WAIT_SECONDS = 60


class Job:
    """A thread that occupies a slot until `publish`, and stays active until `end`."""

    def __init__(self, slots: Slots, name: str, threads: ThreadPoolExecutor) -> None:
        self.entered, self._publish, self._end = (threading.Event() for _ in range(3))
        self._slots, self._name = slots, name
        self.run: Future[str] = threads.submit(self._run)

    def _run(self) -> str:
        try:
            with self._slots.slot_for(self._name) as slot:
                self.entered.set()
                self._publish.wait()
                slot.free()
                self._end.wait()
        except JobAbandoned:
            return "left"
        return "published"

    def publish(self) -> None:
        self._publish.set()

    def release(self) -> None:
        self._publish.set()
        self._end.set()

    def end(self) -> str:
        self.release()
        return self.run.result(WAIT_SECONDS)


class Worker:
    """A worker with one slot, and its jobs."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.slots = Slots(1)
        self._threads = threads
        self._jobs: list[Job] = []

    def job(self, name: str) -> Job:
        self._jobs.append(Job(self.slots, name, self._threads))
        return self._jobs[-1]

    def one_of_two_has_a_slot(self) -> tuple[Job, Job]:
        """Return the job that has the slot, and another that waits for it."""
        computed = self.job("computed")
        assert computed.entered.wait(WAIT_SECONDS)
        waiting = self.job("waiting")
        while self.slots.waiting(0) != ["waiting"]:
            assert not waiting.run.done()
        assert self.slots.active == {"computed"}
        return computed, waiting

    def close(self) -> None:
        self.slots.close()
        for job in self._jobs:
            job.release()


@pytest.fixture
def worker() -> Iterator[Worker]:
    with ThreadPoolExecutor() as threads:
        worker = Worker(threads)
        yield worker
        worker.close()


def test_a_job_that_only_has_to_be_published_frees_its_slot_to_the_next(
    worker: Worker,
) -> None:
    slots = worker.slots
    computed, waiting = worker.one_of_two_has_a_slot()

    computed.publish()

    assert waiting.entered.wait(WAIT_SECONDS)
    assert slots.active == {"computed", "waiting"}
    assert [job.end() for job in (computed, waiting)] == ["published", "published"]
    assert slots.active == frozenset()


def test_only_inactive_jobs_are_abandoned_and_they_occupy_the_worker_until_a_slot_is_free(
    worker: Worker,
) -> None:
    slots = worker.slots
    computed, waiting = worker.one_of_two_has_a_slot()

    assert (slots.waiting(0), slots.waiting(WAIT_SECONDS)) == (["waiting"], [])
    left = slots.abandon(["computed", "waiting", "stranded"])

    assert slots.waiting(0) == []
    assert left == ["waiting", "stranded"]
    assert not waiting.run.done()
    assert computed.end() == "published"
    assert waiting.run.result(WAIT_SECONDS) == "left"
    later = worker.job("waiting")
    assert later.entered.wait(WAIT_SECONDS)
    assert later.end() == "published"


def test_a_suspended_worker_keeps_its_jobs_and_gives_slots_again_once_resumed(
    worker: Worker,
) -> None:
    slots = worker.slots
    computed, waiting = worker.one_of_two_has_a_slot()

    slots.suspend()
    assert computed.end() == "published"
    assert not waiting.entered.wait(0.2)
    assert slots.waiting(0) == ["waiting"]

    slots.resume()
    assert waiting.entered.wait(WAIT_SECONDS)
    assert waiting.end() == "published"


def test_a_worker_that_stops_abandons_waiting_jobs_alone(
    worker: Worker,
) -> None:
    slots = worker.slots
    computed, waiting = worker.one_of_two_has_a_slot()

    slots.close()

    assert waiting.run.result(WAIT_SECONDS) == "left"
    assert worker.job("late").run.result(WAIT_SECONDS) == "left"
    assert computed.end() == "published"


def test_a_job_that_prepares_while_it_waits_counts_as_waiting_and_may_be_abandoned() -> None:
    slots = Slots(1)
    seen: list[list[str]] = []

    def meanwhile() -> None:
        seen.append(slots.waiting(0))
        assert slots.busy
        assert not slots.active
        slots.abandon(["job"])

    with pytest.raises(JobAbandoned), slots.slot_for("job", meanwhile):
        raise AssertionError("an abandoned job got a slot")

    assert seen == [["job"]]
    assert not slots.busy
    with slots.slot_for("another"):
        assert slots.active == {"another"}


def test_a_job_whose_preparation_fails_leaves_no_trace() -> None:
    slots = Slots(1)

    def meanwhile() -> None:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="gone"), slots.slot_for("job", meanwhile):
        raise AssertionError("a job without preparation got a slot")

    assert not slots.busy
    with slots.slot_for("job"):
        assert slots.active == {"job"}

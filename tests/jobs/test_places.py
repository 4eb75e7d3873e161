"""The places of a worker: who gets one, who waits, and who is let go of."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from app.jobs.places import JobLeft, Places

WAIT_SECONDS = 60


class Job:
    """A thread that holds a place, then only its job, until it is told otherwise."""

    def __init__(self, places: Places, name: str, threads: ThreadPoolExecutor) -> None:
        self.entered, self._publish, self._end = (threading.Event() for _ in range(3))
        self._places, self._name = places, name
        self.run: Future[str] = threads.submit(self._run)

    def _run(self) -> str:
        try:
            with self._places.place_for(self._name) as place:
                self.entered.set()
                assert self._publish.wait(WAIT_SECONDS)
                place.free()
                assert self._end.wait(WAIT_SECONDS)
        except JobLeft:
            return "left"
        return "published"

    def publish(self) -> None:
        self._publish.set()

    def end(self) -> str:
        self._publish.set()
        self._end.set()
        return self.run.result(WAIT_SECONDS)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as threads:
        yield threads


def one_of_two_has_a_place(threads: ThreadPoolExecutor) -> tuple[Places, Job, Job]:
    """One place, the job that has it, and another, `waiting`, that is known and has none."""
    places = Places(1)
    computed = Job(places, "computed", threads)
    assert computed.entered.wait(WAIT_SECONDS)
    waiting = Job(places, "waiting", threads)
    while places.waiting(0) != ["waiting"]:
        assert not waiting.run.done()
    assert places.held == {"computed"}
    return places, computed, waiting


def test_a_job_that_only_has_to_be_published_leaves_its_place_to_the_next(
    threads: ThreadPoolExecutor,
) -> None:
    places, computed, waiting = one_of_two_has_a_place(threads)

    computed.publish()

    assert waiting.entered.wait(WAIT_SECONDS)
    assert places.held == {"computed", "waiting"}
    assert [job.end() for job in (computed, waiting)] == ["published", "published"]
    assert places.held == frozenset()


def test_only_jobs_that_nobody_holds_are_given_up_and_they_keep_the_worker_busy_meanwhile(
    threads: ThreadPoolExecutor,
) -> None:
    places, computed, waiting = one_of_two_has_a_place(threads)

    assert (places.waiting(0), places.waiting(WAIT_SECONDS)) == (["waiting"], [])
    left = places.give_up(["computed", "waiting", "stranded"])

    assert places.waiting(0) == []
    assert left == ["waiting", "stranded"]
    assert not waiting.run.done()
    assert computed.end() == "published"
    assert waiting.run.result(WAIT_SECONDS) == "left"
    later = Job(places, "waiting", threads)
    assert later.entered.wait(WAIT_SECONDS)
    assert later.end() == "published"


def test_a_worker_that_stops_lets_go_of_what_waits_and_of_nothing_else(
    threads: ThreadPoolExecutor,
) -> None:
    places, computed, waiting = one_of_two_has_a_place(threads)

    places.close()

    assert waiting.run.result(WAIT_SECONDS) == "left"
    assert Job(places, "late", threads).run.result(WAIT_SECONDS) == "left"
    assert computed.end() == "published"

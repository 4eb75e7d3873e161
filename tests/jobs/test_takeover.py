"""Only one worker takes over a job, and each job is published once."""

import pytest

from app.jobs.worker_registry import WorkerRegistry
from tests.jobs.conftest import ToyService, eventually


def test_one_of_several_workers_takes_over_from_a_vanished_one(service: ToyService) -> None:
    vanished, quick, slow = (
        WorkerRegistry(service.database, name, 2) for name in ("one", "two", "three")
    )
    vanished.register()
    with quick.take_over("one") as is_successor:
        assert not is_successor  # worker one is alive
    vanished.deregister()

    with quick.take_over("one") as quick_succeeds, slow.take_over("one") as slow_succeeds:
        assert (quick_succeeds, slow_succeeds) == (True, False)

    with slow.take_over("one") as is_successor:
        assert is_successor


def test_a_worker_that_fails_to_take_over_leaves_it_to_the_next(service: ToyService) -> None:
    vanished, failing, next_one = (
        WorkerRegistry(service.database, name, 2) for name in ("one", "two", "three")
    )
    vanished.register()
    vanished._lock.release()  # as the kernel or the server does when the worker is killed

    with pytest.raises(ZeroDivisionError), failing.take_over("one"):
        raise ZeroDivisionError

    assert next_one.observe().others == {"one"}
    with next_one.take_over("one") as is_successor:
        assert is_successor
    assert next_one.observe().others == set()


@pytest.mark.endurance
def test_a_frozen_workers_job_is_begun_by_another_and_published_once_when_it_wakes(
    service: ToyService,
) -> None:
    workers = {name: service.start_worker(name) for name in ("one", "two")}
    for name in workers:
        service.await_worker(name)
    service.ask("held", "count", steps=6, seconds=0.5)
    service.wait("held", lambda toy: toy.progress != "")
    (holder,) = service.taken()

    workers[holder].suspend()

    service.wait("held", lambda toy: toy.attempts == 2)
    workers[holder].resume()  # its solver process was not frozen, and has an output
    service.wait("held", lambda toy: toy.state == "succeeded")
    eventually(lambda: service.taken() == {}, "nothing left to do")
    ended = service.toy("held")
    assert (ended.attempts, ended.publications) == (2, 1)
    for name in workers:
        service.await_worker(name)
    assert all(worker.is_running() for worker in workers.values())

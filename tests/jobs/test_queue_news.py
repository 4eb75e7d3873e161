"""Workers hear of jobs that were enqueued."""

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from app.jobs.queue_news import CHANNEL, announce, follow_queue
from tests.conftest import ON_POSTGRES
from tests.jobs.conftest import ToyService, eventually

WAIT_SECONDS = 60


@pytest.fixture
def woken(service: ToyService) -> Iterator[threading.Event]:
    """An event that is set whenever jobs may have been enqueued."""
    woken, stop = threading.Event(), threading.Event()
    arguments = service.database.engine, woken.set, stop
    thread = threading.Thread(target=follow_queue, args=arguments)
    thread.start()
    assert woken.wait(WAIT_SECONDS), "for what was enqueued before"
    woken.clear()
    yield woken
    stop.set()
    thread.join()


def test_a_worker_hears_of_a_job_as_soon_as_its_transaction_commits(
    service: ToyService, woken: threading.Event
) -> None:
    service.ask("asked", "add", a=1, b=1)

    assert woken.wait(WAIT_SECONDS)


@ON_POSTGRES
def test_a_worker_listens_again_after_its_connection_broke(
    service: ToyService, woken: threading.Event
) -> None:
    listening = text(
        "SELECT pid FROM pg_stat_activity WHERE query = :query AND datname = current_database()"
    )

    def listeners() -> set[int]:
        with service.database.look() as connection:
            return set(connection.scalars(listening, {"query": f"LISTEN {CHANNEL}"}))

    broken = listeners()
    with service.database.look() as connection:
        for pid in broken:
            connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
    eventually(lambda: not listeners() <= broken, "listening again")
    woken.clear()

    with service.database.transaction() as session:
        announce(session)

    assert broken
    assert woken.wait(WAIT_SECONDS)

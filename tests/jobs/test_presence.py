"""A worker whose lock is cut, as when its database is started anew."""

from collections.abc import Iterator

import pytest
from sqlalchemy import URL, create_engine, text

from app.database import Database
from app.jobs.presence import Presence, WorkerIdTaken, living_workers
from tests.conftest import postgres_databases


@pytest.fixture
def database(postgres_url: URL) -> Iterator[Database]:
    admin = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    made: list[str] = []
    database = Database(postgres_databases(admin, made)())
    yield database
    database.dispose()
    with admin.connect() as connection:
        for name in reversed(made):
            connection.exec_driver_sql(f'DROP DATABASE "{name}" WITH (FORCE)')
    admin.dispose()


def cut_locks(database: Database) -> None:
    """End the sessions that hold a worker's lock."""
    ending = text(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND "
        "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    with database.engine.connect() as connection:
        assert connection.execute(ending).scalars().all() == [True]


def test_a_worker_that_took_its_lock_again_is_as_old_as_it_was(database: Database) -> None:
    presence = Presence(database, "one", 2)
    presence.enter()
    with database.snapshot() as session:
        (before,) = living_workers(session)
    cut_locks(database)

    assert presence.renewed()

    with database.snapshot() as session:
        (after,) = living_workers(session)
    assert after.started_at == before.started_at
    presence.leave()


def test_a_worker_that_lost_its_name_to_another_leaves_it_alone(database: Database) -> None:
    first, second = Presence(database, "one", 2), Presence(database, "one", 3)
    first.enter()
    cut_locks(database)
    second.enter()
    with pytest.raises(WorkerIdTaken):
        first.renewed()

    first.leave()

    with database.snapshot() as session:
        assert [worker.concurrency for worker in living_workers(session)] == [3]
    second.leave()

"""A worker loses its lock because its database restarts or the worker freezes."""

import os
import time
from collections.abc import Iterator

import pytest
from sqlalchemy import URL, create_engine, select, text

from app.database import Database
from app.engine import FROZEN_LOCK_SECONDS
from app.jobs import liveness, worker_registry
from app.jobs.models import Worker
from app.jobs.worker_registry import (
    LivingWorker,
    WorkerIdTaken,
    WorkerRegistry,
    living_workers,
)
from tests.conftest import postgres_databases
from tests.jobs.conftest import ToyService, eventually


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


def test_a_worker_that_acquires_its_lock_again_keeps_its_start_time(database: Database) -> None:
    registry = WorkerRegistry(database, "one", 2)
    registry.register()
    with database.snapshot() as session:
        (before,) = living_workers(session)
    cut_locks(database)

    assert registry.renew()

    with database.snapshot() as session:
        (after,) = living_workers(session)
    assert after.started_at == before.started_at
    registry.deregister()


def test_a_worker_that_lost_its_id_to_another_keeps_the_others_registration(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = WorkerRegistry(database, "one", 2), WorkerRegistry(database, "one", 3)
    first.register()
    cut_locks(database)
    second.register()
    monkeypatch.setattr(worker_registry, "PATIENCE_SECONDS", 0.3)
    with pytest.raises(WorkerIdTaken):
        first.renew()

    first.deregister()

    with database.snapshot() as session:
        assert [worker.concurrency for worker in living_workers(session)] == [3]
    second.deregister()


@pytest.fixture
def frozen(service: ToyService, monkeypatch: pytest.MonkeyPatch) -> WorkerRegistry:
    """A registered worker that sends no heartbeats; it counts as frozen after a second."""
    registry = WorkerRegistry(service.database, "one", 2)
    with monkeypatch.context() as patch:
        patch.setattr(liveness, "FROZEN_LOCK_SECONDS", 1)  # Postgres measures the time
        registry.register()
    if service.database.engine.dialect.name == "sqlite":
        entered = time.time() - 2 * FROZEN_LOCK_SECONDS
        os.utime(liveness.lock_file(service.database.engine, "one"), (entered, entered))
    return registry


def living(service: ToyService) -> list[LivingWorker]:
    with service.database.snapshot() as session:
        return living_workers(session)


def test_a_frozen_worker_loses_its_lock_and_acquires_it_again_when_it_wakes(
    service: ToyService, frozen: WorkerRegistry
) -> None:
    awake = WorkerRegistry(service.database, "two", 2)
    awake.register()
    eventually(lambda: [each.id for each in living(service)] == ["two"], "the lock free")
    with awake.take_over("one") as is_successor:
        assert is_successor
    with service.database.snapshot() as session:
        assert session.scalars(select(Worker.id)).all() == ["two"]

    assert frozen.renew()

    assert [each.id for each in living(service)] == ["one", "two"]
    assert not frozen.renew()
    for registry in (frozen, awake):
        registry.deregister()


def test_another_worker_may_take_the_id_of_a_frozen_one_which_then_refuses_to_go_on(
    service: ToyService, frozen: WorkerRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = WorkerRegistry(service.database, "one", 3)
    monkeypatch.setattr(worker_registry, "PATIENCE_SECONDS", 60)

    second.register()

    monkeypatch.setattr(worker_registry, "PATIENCE_SECONDS", 0)
    with pytest.raises(WorkerIdTaken, match="belongs to another"):
        frozen.renew()
    frozen.deregister()
    assert [each.concurrency for each in living(service)] == [3]
    second.deregister()


def test_a_worker_without_heartbeats_is_silent_until_the_next_one(
    service: ToyService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_registry, "SILENT_SECONDS", 1)
    registry = WorkerRegistry(service.database, "one", 2)
    registry.register()

    eventually(lambda: living(service)[0].is_silent, "silent")

    def is_heard() -> bool:
        return not registry.renew() and not living(service)[0].is_silent

    eventually(is_heard, "heard of again")
    registry.deregister()

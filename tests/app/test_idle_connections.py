"""Connections to Postgres that break while nobody uses them are replaced before the next use."""

from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, text

from app import idle_connections
from app.database import Database
from tests.conftest import ON_POSTGRES, NewDatabase

OWN_PROCESS = text("SELECT pg_backend_pid()")


@pytest.fixture
def database(new_database_url: NewDatabase) -> Iterator[Database]:
    database = Database(new_database_url())
    yield database
    database.dispose()


def process_of(database: Database) -> int:
    with database.transaction() as session:
        return int(session.execute(OWN_PROCESS).scalar_one())


def end(database: Database, process: int) -> None:
    """End a process of the server, and with it the connection, as a restart of the server does."""
    other = create_engine(database.engine.url)
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": process})
    other.dispose()


@ON_POSTGRES
def test_a_connection_that_broke_while_idle_is_replaced(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = process_of(database)
    end(database, first)
    monkeypatch.setattr(idle_connections, "CHECKED_AFTER_SECONDS", 0.0)

    second = process_of(database)

    assert second != first
    assert process_of(database) == second


@ON_POSTGRES
def test_after_a_restart_every_idle_connection_is_replaced(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as one, database.transaction() as other:
        before = {int(each.execute(OWN_PROCESS).scalar_one()) for each in (one, other)}
    for process in before:
        end(database, process)
    monkeypatch.setattr(idle_connections, "CHECKED_AFTER_SECONDS", 0.0)

    with database.transaction() as one, database.transaction() as other:
        after = {int(each.execute(OWN_PROCESS).scalar_one()) for each in (one, other)}

    assert len(before | after) == 4

"""The database: commits before responses, read-only snapshots, and writers that take turns."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select, text
from sqlalchemy.exc import DBAPIError, OperationalError, StatementError
from sqlalchemy.orm import Session

from app import engine
from app.accounts.models import Account
from app.accounts.service import create_account
from app.database import Database
from tests.app.conftest import Party, Service, problem
from tests.conftest import ON_POSTGRES, NewDatabase

Http = Callable[..., Party]

NEW: dict[str, Any] = {"size": 1, "dimension": 1, "distribution": {"kind": "constant"}}


@pytest.fixture
def own(new_database_url: NewDatabase) -> Iterator[Database]:
    database = Database(new_database_url())
    yield database
    database.dispose()


def accounts(session: Session) -> int:
    return session.scalars(select(func.count()).select_from(Account)).one()


def test_a_transaction_commits_when_its_block_ends(own: Database) -> None:
    with own.transaction() as session:
        create_account(session, organisation="Acme", name="Ada")
    with own.snapshot() as session:
        assert accounts(session) == 1


def test_a_transaction_rolls_back_on_an_exception(own: Database) -> None:
    with pytest.raises(RuntimeError), own.transaction() as session:
        create_account(session, organisation="Acme", name="Ada")
        raise RuntimeError
    with own.snapshot() as session:
        assert accounts(session) == 0


def test_a_file_of_sqlite_and_those_beside_it_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        database = Database(f"sqlite:///{tmp_path / 'new.sqlite'}")
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE anything (id INTEGER)")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        database.dispose()
    finally:
        os.umask(before)
    assert modes.keys() >= {"new.sqlite", "new.sqlite-wal"}
    assert set(modes.values()) == {0o600}


LOCKED = """
import fcntl, os, sys
SHARED_FIRST, SHARED_SIZE = 2**30 + 2, 510  # where SQLite's readers lock a database file
try:
    fcntl.lockf(open(sys.argv[1], "r+b"), fcntl.LOCK_EX | fcntl.LOCK_NB, SHARED_SIZE, SHARED_FIRST)
except OSError:
    print("locked")
"""


def test_a_second_engine_on_an_sqlite_file_keeps_the_locks_of_the_first(tmp_path: Path) -> None:
    file = tmp_path / "new.sqlite"
    first = Database(f"sqlite:///{file}")
    with first.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE anything (id INTEGER)")
        Database(f"sqlite:///{file}").dispose()
        look = [sys.executable, "-c", LOCKED, str(file)]
        assert subprocess.check_output(look, text=True) == "locked\n"
    first.dispose()
    assert subprocess.check_output(look, text=True) == ""


def test_waits_for_locks_are_limited_even_after_a_failed_transaction(
    own: Database,
) -> None:
    failing, limit, seconds = {
        "sqlite": ("SELECT * FROM nothing", "PRAGMA busy_timeout", 5000),
        "postgresql": ("SELECT 1 / 0", "SHOW lock_timeout", "5s"),
    }[own.engine.dialect.name]
    with pytest.raises(DBAPIError), own.transaction() as session:
        session.execute(text(failing))
    with own.transaction() as session:
        assert session.scalars(text(limit)).one() == seconds


@ON_POSTGRES
def test_a_transaction_idle_for_long_loses_its_locks(
    own: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own.transaction() as session:
        made = create_account(session, organisation="Acme", name="Ada").id
    statements = engine.POSTGRES_SESSION.replace(f"{engine.FROZEN_LOCK_SECONDS}s", "1s")
    monkeypatch.setattr(engine, "POSTGRES_SESSION", statements)
    frozen = Database(own.engine.url.render_as_string(hide_password=False))
    holding = frozen.engine.connect()
    holding.execute(select(Account).with_for_update())

    with own.transaction() as waiting:
        waiting.execute(text("SET LOCAL lock_timeout = '60s'"))
        assert waiting.scalars(select(Account.id).with_for_update()).all() == [made]

    with pytest.raises(OperationalError):
        holding.execute(select(Account))
    frozen.dispose()


def test_a_snapshot_cannot_write(own: Database) -> None:
    with own.snapshot() as session, pytest.raises(DBAPIError, match=r"(?i)read-?only"):
        create_account(session, organisation="Acme", name="Ada")
    with own.transaction() as session:  # the connection can write again afterwards
        create_account(session, organisation="Acme", name="Ada")


def test_a_snapshot_sees_one_state_while_others_write(own: Database) -> None:
    with own.snapshot() as reading:
        before = accounts(reading)
        with own.transaction() as writing:
            create_account(writing, organisation="Acme", name="Ada")
        assert accounts(reading) == before
    with own.snapshot() as later:
        assert accounts(later) == before + 1


def test_readers_do_not_wait_for_a_writer(own: Database) -> None:
    with own.transaction() as writing:
        create_account(writing, organisation="Acme", name="Ada")
        with own.snapshot() as reading:
            assert accounts(reading) == 0


def test_a_time_without_a_zone_is_refused(own: Database) -> None:
    with (
        pytest.raises(StatementError, match="zone"),
        own.transaction() as session,
    ):
        session.add(Account(organisation="Acme", name="Ada", created_at=datetime(2026, 1, 1)))  # noqa: DTZ001


def test_errors_do_not_show_the_parameters_of_statements(own: Database) -> None:
    with pytest.raises(DBAPIError) as refused, own.transaction() as session:
        session.add(Account(id="acc_1", organisation="Acme", name="a secret"))
        session.flush()
        session.expunge_all()
        session.add(Account(id="acc_1", organisation="Acme", name="a secret"))
        session.flush()
    assert "a secret" not in str(refused.value)


def test_more_writers_than_threads_all_succeed(http: Http) -> None:
    buyer = http("buyer")

    def write(_number: int) -> int:
        return buyer.post("/v1/references", json=NEW).status_code

    with ThreadPoolExecutor(64) as threads:
        statuses = list(threads.map(write, range(192)))
    assert set(statuses) == {201}
    assert len(buyer.get("/v1/references?limit=100").json()["items"]) == 100


def test_when_the_commit_fails_the_response_is_a_problem(http: Http, service: Service) -> None:
    buyer = http("buyer")
    assert (
        buyer.get("/v1/references").status_code == 200
    )  # so that the key's use is recorded already
    engine = service.app.state.database.engine

    def fail(_connection: object) -> None:
        raise OperationalError("COMMIT", None, Exception("disk full"))

    event.listen(engine, "commit", fail)
    try:
        response = buyer.post("/v1/references", json=NEW)
    finally:
        event.remove(engine, "commit", fail)
    assert problem(response) == (503, "unavailable")
    assert response.headers["retry-after"] == "1"
    assert buyer.get("/v1/references").json()["items"] == []


def test_a_missing_table_is_an_internal_error_and_not_unavailable(
    http: Http, service: Service
) -> None:
    buyer = http("buyer")
    engine = service.app.state.database.engine
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE listings RENAME TO elsewhere")
    try:
        response = buyer.get("/v1/listings")
    finally:
        with engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO listings")
    assert problem(response) == (500, "unexpected")
    assert "retry-after" not in response.headers
    assert buyer.get("/v1/listings").status_code == 200

"""The job library chooses its SQL by Python's version, but SQLite may be older than that Python."""

import sqlite3
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import dbos._sys_db
import dbos._sys_db_sqlite
import pytest
from dbos._migration import sqlite_migrations
from sqlalchemy import create_engine, text

from app.http.problems import Unavailable
from app.jobs.library_tables import migrate
from app.jobs.sqlite import OLDEST
from app.settings import Settings
from tests.jobs.conftest import toy_service


def test_every_connection_has_unixepoch_with_milliseconds(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'any'}")
    with engine.connect() as connection:
        found = connection.execute(text("SELECT unixepoch('subsec')")).scalar_one()
    engine.dispose()
    assert abs(found - time.time()) < 5


def test_a_job_is_enqueued_with_the_sql_of_newer_pythons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = SimpleNamespace(**{**vars(sys), "version_info": (3, 13, 0)})
    monkeypatch.setattr(dbos._sys_db, "sys", newer)
    migrations = [
        migration.replace("strftime('%s','now')", "unixepoch('subsec')")
        for migration in sqlite_migrations
    ]
    monkeypatch.setattr(dbos._sys_db_sqlite, "sqlite_migrations", migrations)
    settings = Settings(data_folder=tmp_path)
    migrate(settings)
    with toy_service(settings.resolved_database_url) as toys:
        toys.ask("job_1", "echo")
        with toys.database.snapshot() as session:
            created = session.execute(text("SELECT created_at FROM workflow_status")).scalar_one()
    assert abs(created - 1000 * time.time()) < 60_000


def test_a_sqlite_that_is_too_old_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.34.1")
    assert sqlite3.sqlite_version_info < OLDEST
    with pytest.raises(Unavailable, match=r"expected SQLite 3\.35 or newer.*3\.34\.1.*Postgres"):
        migrate(Settings(data_folder=tmp_path))

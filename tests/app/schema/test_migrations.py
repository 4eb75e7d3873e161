"""The migrations create the tables that the code reads, and can be reversed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect

import app.tables  # noqa: F401 - the metadata is whole only then
from app.database import Base, Database
from app.schema import compatibility, scripts
from app.schema.migrate import upgrade
from tests.conftest import NewDatabase
from tests.second_revision import HEAD, NEXT, add_revision

OURS = set(Base.metadata.tables)


@pytest.fixture
def new_database(new_database_url: NewDatabase) -> Iterator[Database]:
    database = Database(new_database_url())
    yield database
    database.dispose()


def test_the_migrated_schema_is_the_one_that_the_code_declares(new_database: Database) -> None:
    with new_database.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "include_object": lambda _o, name, kind, *_: kind != "table" or name in OURS,
            },
        )
        assert compare_metadata(context, Base.metadata) == []


def test_every_migration_can_be_walked_back_and_forth(new_database: Database) -> None:
    with new_database.engine.begin() as connection:
        command.downgrade(scripts.configuration(connection), "base")
    assert OURS.isdisjoint(inspect(new_database.engine).get_table_names())

    upgrade(new_database.engine)
    assert set(inspect(new_database.engine).get_table_names()) >= OURS
    with new_database.engine.connect() as connection:
        assert compatibility.current(connection) == compatibility.head()


def test_upgrading_twice_changes_nothing(new_database: Database) -> None:
    before = inspect(new_database.engine).get_table_names()
    upgrade(new_database.engine)
    assert inspect(new_database.engine).get_table_names() == before


def upgraded_by_the_next_version(
    database: Database, folder: Path, compatible_since: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(scripts.SCRIPTS, folder / "migrations")
    add_revision(folder / "migrations", compatible_since)
    with monkeypatch.context() as newer:
        newer.setattr(scripts, "SCRIPTS", folder / "migrations")
        assert compatibility.head() == NEXT
        with database.engine.connect() as connection:
            assert f"received {HEAD}, which is older" in str(
                compatibility.incompatibility(connection)
            )
        upgrade(database.engine)


def test_a_newer_schema_that_suits_this_version_is_used_and_left_as_it_is(
    new_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgraded_by_the_next_version(new_database, tmp_path, HEAD, monkeypatch)

    assert upgrade(new_database.engine) is False
    with new_database.engine.connect() as connection:
        assert compatibility.incompatibility(connection) is None
        assert compatibility.current(connection) == NEXT


def test_a_newer_schema_that_needs_newer_code_is_refused(
    new_database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgraded_by_the_next_version(new_database, tmp_path, NEXT, monkeypatch)

    for use in (compatibility.incompatibility, compatibility.is_newer):
        with (
            new_database.engine.connect() as connection,
            pytest.raises(compatibility.SchemaTooNew, match=f"received {NEXT}"),
        ):
            use(connection)
    with pytest.raises(compatibility.SchemaTooNew, match="Install the version of Wassay"):
        upgrade(new_database.engine)

"""The history of migrations: it makes the tables that the code reads, and can be walked back."""

from collections.abc import Iterator

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect

import app.tables  # noqa: F401 - the metadata is whole only then
from app import migration
from app.database import Base, Database
from tests.conftest import NewDatabase

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
        command.downgrade(migration.configuration(connection), "base")
    assert OURS.isdisjoint(inspect(new_database.engine).get_table_names())

    migration.upgrade(new_database.engine)
    assert set(inspect(new_database.engine).get_table_names()) >= OURS
    with new_database.engine.connect() as connection:
        assert migration.current(connection) == migration.head()


def test_upgrading_twice_changes_nothing(new_database: Database) -> None:
    before = inspect(new_database.engine).get_table_names()
    migration.upgrade(new_database.engine)
    assert inspect(new_database.engine).get_table_names() == before

"""Two Postgres roles: one migrates, and one serves, which has only the rights that it needs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine
from sqlalchemy.exc import ProgrammingError

from tests.programs.typed import typed

ROLE = "The role that serves"


@pytest.fixture(scope="module")
def owner(postgres_url: URL) -> Iterator[URL]:
    """A new database, on a server that has the role that serves."""
    admin = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql("CREATE DATABASE least_privilege")
        connection.exec_driver_sql(f'CREATE ROLE "{ROLE}" LOGIN')
    yield postgres_url.set(database="least_privilege")
    with admin.connect() as connection:
        connection.exec_driver_sql("DROP DATABASE least_privilege WITH (FORCE)")
        connection.exec_driver_sql(f'DROP ROLE "{ROLE}"')
    admin.dispose()


@pytest.fixture(scope="module")
def serving(owner: URL, tmp_path_factory: pytest.TempPathFactory) -> URL:
    folder = tmp_path_factory.mktemp("migrate")
    variables = {
        "WASSAY_DATABASE_URL": owner.render_as_string(hide_password=False),
        "WASSAY_DATA_FOLDER": str(folder / "data"),
    }
    for _ in range(2):
        migrated = typed(folder, variables, "migrate", "--grant-to", ROLE)
        assert migrated.stdout == "The schema is up to date.\n", migrated.stderr
    assert not (folder / "data").exists()
    return owner.set(username=ROLE)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (id int)",
        "ALTER TABLE accounts ADD COLUMN more int",
        "DROP TABLE receipts",
        "DROP TRIGGER receipts_append_only ON receipts",
        "UPDATE receipts SET id = id",
        "DELETE FROM receipts",
        "TRUNCATE receipts",
        "UPDATE disclosures SET id = id",
        "DELETE FROM disclosures",
        "UPDATE admin_actions SET id = id",
        "DELETE FROM installations",
        "UPDATE alembic_version SET version_num = 'x'",
        "CREATE TABLE dbos.more (id int)",
    ],
)
def test_the_role_that_serves_may_not(statement: str, serving: URL) -> None:
    engine = create_engine(serving)
    with (
        engine.connect() as connection,
        pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
    ):
        connection.exec_driver_sql(statement)
    engine.dispose()


def test_roles_are_refused_on_sqlite(tmp_path: Path) -> None:
    refused = typed(
        tmp_path, {"WASSAY_DATA_FOLDER": str(tmp_path)}, "migrate", "--grant-to", "wassay"
    )
    assert refused.returncode == 1
    assert (
        refused.stderr
        == "wassay: --grant-to needs Postgres, because SQLite has no roles. Leave it out.\n"
    )

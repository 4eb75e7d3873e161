"""What the job library (DBOS) keeps in our database, and the names that both its sides use."""

from dbos import DBOS, DBOSPortableJSONSerializer
from sqlalchemy import Dialect, TableClause, column, table

from ..settings import Settings
from .sqlite import require_sqlite, supply_milliseconds

APPLICATION = "wassay"
APPLICATION_VERSION = "1"
"""The version of what a job's row means. A worker takes only jobs of its own version."""
QUEUE = "jobs"
WORKFLOW = "job"
SERIALIZER = DBOSPortableJSONSerializer()

supply_milliseconds()  # before anybody connects


def workflows(dialect: Dialect) -> TableClause:
    """Name the table of all jobs, and those of its columns that we read."""
    names = ("workflow_uuid", "queue_name", "status", "executor_id", "created_at")
    schema = "dbos" if dialect.name == "postgresql" else None
    return table("workflow_status", *map(column, names), schema=schema)


def migrate(settings: Settings) -> None:
    """Bring the job library's tables to the version that is installed.

    On SQLite they lie in the application's own file; on Postgres in the schema `dbos`.

    Raises
    ------
    Unavailable
        If this Python's SQLite is too old for it.
    """
    if settings.resolved_database_url.startswith("sqlite"):
        require_sqlite()
    DBOS.migrate(settings.resolved_database_url)

"""The job library's tables in our database, and the names that web process and worker share."""

from dbos import DBOS, DBOSPortableJSONSerializer
from sqlalchemy import Dialect, TableClause, column, table

from ..settings import Settings
from .sqlite import require_sqlite, supply_milliseconds

APPLICATION = "wassay"
APPLICATION_VERSION = "1"
"""The version of the meaning of a job's row. A worker dequeues only jobs of its own version."""
QUEUE = "jobs"
WORKFLOW = "job"
ENDED = ("SUCCESS", "ERROR", "CANCELLED")
"""The states of jobs that have ended."""
SERIALIZER = DBOSPortableJSONSerializer()

supply_milliseconds()  # before the first connection


def workflows(dialect: Dialect) -> TableClause:
    """Return the job library's table of jobs, with the columns that we read."""
    names = ("workflow_uuid", "queue_name", "status", "executor_id", "created_at")
    schema = "dbos" if dialect.name == "postgresql" else None
    return table("workflow_status", *map(column, names), schema=schema)


def migrate(settings: Settings) -> None:
    """Migrate the job library's tables to the installed version.

    On SQLite they are in the application's own file; on Postgres in the schema `dbos`.

    Raises
    ------
    Unavailable
        If this Python's SQLite is too old for it.
    """
    if settings.resolved_database_url.startswith("sqlite"):
        require_sqlite()
    DBOS.migrate(settings.resolved_database_url)

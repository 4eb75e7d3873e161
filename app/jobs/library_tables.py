"""The job library's tables in our database, and the names of its queue and workflow."""

from dbos import DBOS, DBOSPortableJSONSerializer
from sqlalchemy import Dialect, TableClause, column, table

from ..settings import Settings
from .sqlite import require_sqlite, supply_milliseconds

APPLICATION = "wassay"
APPLICATION_VERSION = "1"
"""The version of what a job's row means. A worker dequeues only jobs of its own version."""
QUEUE = "jobs"
WORKFLOW = "job"
ENDED = ("SUCCESS", "ERROR", "CANCELLED")
"""The states of jobs that have ended."""
SERIALIZER = DBOSPortableJSONSerializer()

supply_milliseconds()  # needed before the first connection


def workflows(dialect: Dialect) -> TableClause:
    """Return the job library's table of jobs, with the columns that this package reads."""
    names = ("workflow_uuid", "queue_name", "status", "executor_id", "created_at")
    schema = "dbos" if dialect.name == "postgresql" else None
    return table("workflow_status", *map(column, names), schema=schema)


def migrate(settings: Settings) -> None:
    """Migrate the job library's tables to the installed version of the library.

    On SQLite, the tables are in the application's own file; on Postgres, in the schema `dbos`.

    Raises
    ------
    Unavailable
        If this Python's SQLite is too old for the library.
    """
    if settings.resolved_database_url.startswith("sqlite"):
        require_sqlite()
    DBOS.migrate(settings.resolved_database_url)

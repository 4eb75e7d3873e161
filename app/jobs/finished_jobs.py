"""Delete the job library's rows of jobs that ended long ago."""

from datetime import timedelta

from dbos import DBOS

from ..database import now
from .library_tables import ENDED, QUEUE

RETENTION = timedelta(days=7)
DELETION_SECONDS = 3600.0
"""How often a worker deletes the rows of finished jobs."""
DELETION_BATCH = 1000


def delete_finished_jobs() -> None:
    """Delete the rows of jobs that ended more than `RETENTION` ago. Rows contain no results."""
    while old := DBOS.list_workflows(
        status=list(ENDED),
        queue_name=QUEUE,
        completed_before=(now() - RETENTION).isoformat(),
        limit=DELETION_BATCH,
        load_input=False,
        load_output=False,
    ):
        DBOS.delete_workflows([job.workflow_id for job in old])

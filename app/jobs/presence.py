"""Which workers are alive: each writes its heartbeat, everybody reads them.

The machines' clocks must agree to a few seconds.
"""

from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.database import Database, now
from app.jobs.models import Worker

BEAT_SECONDS = 2.0
LOST_AFTER = timedelta(seconds=10)
FORGOTTEN_AFTER = timedelta(days=1)


def living_workers(session: Session) -> list[str]:
    """Return the ids of the workers whose heart beat lately, in order."""
    living = select(Worker.id).where(Worker.beat_at > now() - LOST_AFTER).order_by(Worker.id)
    return list(session.scalars(living))


class Presence:
    """One worker's heartbeat."""

    def __init__(self, database: Database, worker_id: str) -> None:
        self._database = database
        self._worker_id = worker_id

    def beat(self) -> list[str]:
        """Say that this worker is alive; return all that are, in order."""
        with self._database.transaction() as session:
            session.merge(Worker(id=self._worker_id, beat_at=now()))
            session.execute(delete(Worker).where(Worker.beat_at < now() - FORGOTTEN_AFTER))
            session.flush()
            return living_workers(session)

    def leave(self) -> None:
        """Say that this worker has gone."""
        with self._database.transaction() as session:
            session.execute(delete(Worker).where(Worker.id == self._worker_id))

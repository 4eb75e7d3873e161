"""A job in its solver process: note its progress, and end it before it is done."""

import time
from dataclasses import dataclass, field

import structlog
from sqlalchemy.exc import SQLAlchemyError

from .handlers import JobHandler, Outcome
from .process_pool import SolverProcess

logger = structlog.stdlib.get_logger("wassay.jobs")

PROGRESS_SECONDS = 1.0


@dataclass(eq=False)
class RunningJob:
    """A job that a solver process is computing."""

    handler: JobHandler
    job_id: str
    process: SolverProcess
    began_at: float = field(default_factory=time.monotonic)
    progress: tuple[int, int] | None = None
    progress_stored_at: float = field(default_factory=time.monotonic)
    forced_outcome: Outcome | None = None
    """The outcome for which `force` killed the process; None if `force` was not called."""

    def force(self, outcome: Outcome) -> None:
        """Kill the process and set `forced_outcome`; do nothing if an outcome is set already."""
        if self.forced_outcome is None:
            self.forced_outcome = outcome
            self.process.kill()

    def on_progress(self, done: int, total: int) -> None:
        """Store that `done` of `total` steps are done, at most once per `PROGRESS_SECONDS`."""
        self.progress = done, total
        if time.monotonic() - self.progress_stored_at < PROGRESS_SECONDS:
            return
        self.progress_stored_at = time.monotonic()
        try:
            self.handler.progress(self.job_id, done, total)
        except SQLAlchemyError:
            logger.warning("progress not stored", job_id=self.job_id, exc_info=True)

"""What both kinds of an evaluation's jobs share: what they work with, and how an attempt begins."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from ...database import Database
from ...jobs.handlers import ProcessTask
from ...jobs.problems import WorkerLost
from ...jobs.queue import JobQueue
from ...receipts.key_file import KeyFile
from ..computing import messages
from ..computing.messages import Message, StoreTask
from ..models import Evaluation
from . import outcomes

COMPUTATION = f"{messages.__package__}.compute"
"""Named, not imported: the worker itself does not load the mathematics."""


class BaseJob:
    """The beginning of a handler whose jobs are computed by `app.evaluations.computing.compute`.

    Parameters
    ----------
    store
        Locates the arrays for solver processes.
    key_file
        Holds the key that signs receipts.
    max_attempts
        How often a job may begin if its worker vanishes each time.
    """

    modules: Sequence[str] = (COMPUTATION, "ot")
    """POT too, which the former does not import before it solves."""

    def __init__(
        self,
        database: Database,
        store: StoreTask,
        queue: JobQueue,
        key_file: KeyFile,
        max_attempts: int,
    ) -> None:
        self._database = database
        self._store = store
        self._queue = queue
        self._key_file = key_file
        self._max_attempts = max_attempts

    def _may_begin(self, session: Session, evaluation: Evaluation, attempts: int) -> bool:
        """Tell whether there may be one more attempt; where not, its evaluation fails."""
        if attempts < self._max_attempts:
            return True
        outcomes.fail(session, evaluation, WorkerLost.after(self._max_attempts).body())
        return False

    def _process_task(self, function: str, arguments: Message, attempt: int) -> ProcessTask:
        return ProcessTask(f"{COMPUTATION}:{function}", arguments.model_dump(mode="json"), attempt)

"""The part that the handlers of evaluations and of chunks have in common."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from ...database import Database
from ...jobs.attempts import may_attempt_again
from ...jobs.handlers import ProcessTask
from ...jobs.problems import WorkerLost
from ...jobs.queue import JobQueue
from ...receipts.installation_key import InstallationKey
from ..computing import process_messages
from ..computing.process_messages import Message, StoreTask
from ..models import Evaluation
from . import chunk_repository, outcomes

COMPUTATION = f"{process_messages.__package__}.compute"
"""The name of the module that computes jobs. The worker itself does not import the module."""
SOLVER = f"{process_messages.__package__}.load_solver"


class BaseJob:
    """The base of handlers whose jobs run a function of `app.evaluations.computing.compute`.

    Parameters
    ----------
    store
        Where solver processes find the arrays.
    signing
        The key that signs receipts.
    max_attempts
        How often a job may be attempted if its workers vanish.
    """

    modules: Sequence[str] = (COMPUTATION, SOLVER)
    """The modules that a process loads before its first job.

    `SOLVER` loads POT, which `COMPUTATION` would otherwise import only when it solves a problem.
    """

    def __init__(
        self,
        database: Database,
        store: StoreTask,
        queue: JobQueue,
        signing: InstallationKey,
        max_attempts: int,
    ) -> None:
        self._database = database
        self._store = store
        self._queue = queue
        self._signing = signing
        self._max_attempts = max_attempts

    def log_fields(self, job_id: str) -> dict[str, str]:
        """Return the id of a job's evaluation, for the log."""
        return {"evaluation_id": chunk_repository.evaluation_of(job_id)}

    def _may_begin_or_fail(self, session: Session, evaluation: Evaluation, attempts: int) -> bool:
        """Return whether a job may begin after this many attempts; if not, fail its evaluation.

        The caller has locked the evaluation's row.
        """
        if may_attempt_again(attempts, self._max_attempts):
            return True
        outcomes.fail(session, evaluation, WorkerLost.after(self._max_attempts).body())
        return False

    def _process_task(self, function: str, arguments: Message, attempt: int) -> ProcessTask:
        return ProcessTask(f"{COMPUTATION}:{function}", arguments.model_dump(mode="json"), attempt)

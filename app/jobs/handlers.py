"""The interface that every kind of job implements, so that this package need not know the kinds."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict

Json = dict[str, Any]
ProgressCallback = Callable[[int, int], None]
"""Called with the number of steps done and the number of all steps."""


@dataclass(frozen=True)
class ProcessTask:
    """A task for a solver process.

    Attributes
    ----------
    function
        `package.module:name` of a function `(arguments, on_progress) -> Json`. It may raise a
        `Problem`, which becomes the reason of the job's failure.
    arguments
        Plain JSON: ids, digests and parameters, never arrays.
    attempt
        The number of this attempt, from 1.
    """

    function: str
    arguments: Json
    attempt: int


class Outcome(TypedDict, total=False):
    """The end of a computation: an output, a problem, or neither if the job is no longer wanted.

    If the machine caused the problem, `machine_fault` states what is wrong with the machine.
    """

    output: Json
    problem: Json
    machine_fault: str


class JobHandler(Protocol):
    """A kind of job. Each method opens its own transactions, and may be called more than once.

    Solver processes import `modules` before their first task.
    """

    kind: str
    modules: Sequence[str]

    def log_fields(self, job_id: str) -> dict[str, str]:
        """Return fields for the log that identify what a job is for."""

    def read_ahead(self, job_id: str) -> object | None:
        """Read, while the job waits for a slot, what `prepare` and `publish` will need.

        Both methods receive the returned value as `ahead`, whose type only the handler knows.
        Return None if there is nothing to read ahead. Change nothing, and take no locks. The job
        may never be prepared.
        """

    def prepare(self, job_id: str, ahead: object | None = None) -> ProcessTask | None:
        """Begin an attempt: mark the job as running, and return its task, or None to drop the job.

        `ahead` is what `read_ahead` returned; the job may have changed since. At later attempts in
        the same worker, `ahead` is None.

        If the job has used up its attempts, fail the job, and return None. The handler counts
        attempts in the row that the job is for. The job library's own count can be higher: it also
        counts a job that was dequeued but only waited for a slot.
        """

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return which of these ids belong to jobs that need no computing: cancelled jobs, say."""

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Store how many of the job's steps are done. Called about once a second."""

    def publish(self, job_id: str, output: Json, ahead: object | None = None) -> None:
        """Publish the output of a computation, unless the job has ended already.

        `ahead` is what `read_ahead` returned before the first attempt in this worker, or None.
        """

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """End the job with a problem's body, unless the job has ended or a newer attempt has begun.

        The newer attempt may succeed, for example if only this attempt's machine lost its
        connection. `attempt` is None if no attempt could begin.
        """

    def give_back(self, job_id: str, attempt: int, *, counted: bool = False) -> None:
        """Mark the job as waiting for another worker, unless a newer attempt has begun.

        The attempt counts towards the limit only if `counted`.
        """

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
    """A kind of job. Each method opens its own transactions, and may be called more than once."""

    kind: str
    modules: Sequence[str]
    """The modules that a solver process imports before its first task."""

    def log_fields(self, job_id: str) -> dict[str, str]:
        """Return fields for the log that identify what a job is for."""

    def read_ahead(self, job_id: str) -> object | None:
        """Return data that `prepare` and `publish` will need; None if there is nothing to read.

        The job waits for a slot meanwhile, and may never begin: change nothing, and take no locks.
        """

    def prepare(self, job_id: str, ahead: object | None = None) -> ProcessTask | None:
        """Begin an attempt: mark the job as running, and return its task.

        Return None if nothing is to be computed, or after failing a job that has no attempts left.
        """
        # The handler counts the attempts, because the job library also counts jobs that only waited
        # for a slot. `ahead`, from `read_ahead`, may be out of date; at later attempts in the same
        # worker, it is None.

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return which of these jobs need no more computing, such as cancelled ones."""

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Store how many of the job's steps are done. Called about once a second."""

    def publish(self, job_id: str, output: Json, ahead: object | None = None) -> None:
        """Publish the output of a computation, unless the job has ended already.

        `ahead` is what `read_ahead` returned before the first attempt in this worker, or None.
        """

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """Fail the job, unless it has ended or a newer attempt has begun.

        `problem` is the body of the problem; `attempt` is None if no attempt could begin.
        """

    def give_back(self, job_id: str, attempt: int, *, counted: bool = False) -> None:
        """Mark the job as waiting for another worker, if this attempt is still the running one.

        The attempt counts towards the limit of attempts only if `counted`.
        """

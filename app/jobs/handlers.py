"""The interface that a kind of job implements, so that this package knows no kind."""

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
    """The end of a computation: an output, a problem, or neither if the job is unwanted.

    If the machine caused the problem, `machine_fault` says what is wrong with the machine.
    """

    output: Json
    problem: Json
    machine_fault: str


class JobHandler(Protocol):
    """One kind of job. Every method is a transaction of its own, and may run more than once.

    Solver processes import `modules` while they wait for their first task.
    """

    kind: str
    modules: Sequence[str]

    def log_fields(self, job_id: str) -> dict[str, str]:
        """Return what a job is about, for the log."""

    def prepare(self, job_id: str) -> ProcessTask | None:
        """Begin an attempt: mark the job as running and return its task; None to drop the job.

        If the job has used up its attempts, fail it and return None. Each handler counts attempts
        in the job's own row. The job library's count is higher: it counts each time a job was
        dequeued, even if the job only waited for a slot or its worker was stopped.
        """

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return which of the jobs need not be computed any more, such as cancelled ones."""

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Store the job's progress; called about once a second."""

    def publish(self, job_id: str, output: Json) -> None:
        """Publish the output of a computation, unless the job has ended already."""

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """End the job with a problem's body, unless the job has ended or a newer attempt began.

        A newer attempt may succeed where this one failed, on a machine that lost its connection.
        `attempt` is None if no attempt could begin.
        """

    def give_back(self, job_id: str, attempt: int, *, counted: bool = False) -> None:
        """Mark the job as waiting for another worker, unless a newer attempt began.

        The attempt counts towards the limit only if `counted`.
        """

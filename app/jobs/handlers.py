"""What a kind of job implements, so that this layer needs no knowledge of it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict

Json = dict[str, Any]
Report = Callable[[int, int], None]
"""Told how many of how many steps are done."""

MAX_ATTEMPTS = 3
"""How often a job is begun, when its worker or its process vanishes each time.

The job library counts how often a job was taken, which is more often: also when it waited for a
place, or its worker was stopped. And it would not say to the job's row that it gave up.
"""


@dataclass(frozen=True)
class ChildTask:
    """What a child process computes.

    Attributes
    ----------
    function
        `package.module:name` of a function `(arguments, report) -> Json`. It may raise a
        `Problem`, which becomes the reason of the job's failure.
    arguments
        Plain JSON: ids, digests and parameters, never arrays.
    attempt
        Which attempt this is, from 1 to `MAX_ATTEMPTS`.
    """

    function: str
    arguments: Json
    attempt: int


class Outcome(TypedDict, total=False):
    """How a computation ended: with an output, with a problem, or empty when nobody wants it."""

    output: Json
    problem: Json


class JobHandler(Protocol):
    """One kind of job. Every method is a transaction of its own, and may run more than once.

    `modules` are what its children import while they wait for their first task.
    """

    kind: str
    modules: Sequence[str]

    def prepare(self, job_id: str) -> ChildTask | None:
        """Begin an attempt: mark the job as running and say what to compute; None: drop it.

        A job that was begun `MAX_ATTEMPTS` times already fails here.
        """

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        """Return those of the jobs that somebody cancelled since they began."""

    def progress(self, job_id: str, done: int, total: int) -> None:
        """Note how far the job is; called about once a second."""

    def publish(self, job_id: str, output: Json) -> None:
        """Publish what was computed, unless the job has ended already."""

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        """End the job with the body of a problem, unless it has ended, or was begun again since.

        What failed on a machine that was cut off may succeed where it was begun again. Without an
        attempt, it could not be begun.
        """

    def give_back(self, job_id: str, attempt: int) -> None:
        """Let the job wait again, unless it was begun again since: its worker is stopping."""

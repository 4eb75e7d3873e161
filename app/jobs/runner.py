"""Runs jobs: prepares them, has children compute them, publishes what came of it.

To the job library (DBOS) all of it is one body without steps: it would note every step's outcome
before the next, and what was found is published at once, in a transaction of ours.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from .handlers import MAX_ATTEMPTS, ChildTask, JobHandler, Outcome
from .problems import ComputationDied, ComputationFailed, TooLong
from .process_pool import (
    Child,
    ChildDied,
    ChildLimits,
    WarmChildren,
)
from .slots import JobLeft, Places

logger = structlog.stdlib.get_logger("wassay.jobs")

PROGRESS_SECONDS = 1.0
DATABASE_AWAY_SECONDS = 1.0
STOP_SECONDS = 5.0

Done = TypeVar("Done")


@dataclass(eq=False)
class Solving:
    """A job that a child is computing at this moment.

    `verdict` is its outcome when the child was killed on purpose.
    """

    handler: JobHandler
    job_id: str
    child: Child
    began: float = field(default_factory=time.monotonic)
    progress: tuple[int, int] | None = None
    noted: float = field(default_factory=time.monotonic)
    verdict: Outcome | None = None

    def end(self, verdict: Outcome) -> None:
        """Kill the child, unless that was done already."""
        if self.verdict is None:
            self.verdict = verdict
            self.child.kill()

    def report(self, done: int, total: int) -> None:
        """Have the progress noted, about once a second."""
        self.progress = done, total
        if time.monotonic() - self.noted < PROGRESS_SECONDS:
            return
        self.noted = time.monotonic()
        try:
            self.handler.progress(self.job_id, done, total)
        except SQLAlchemyError:
            logger.warning("progress not noted", job_id=self.job_id, exc_info=True)


class JobRunner:
    """Runs jobs, each in the thread that calls, until it is stopped."""

    def __init__(self, handlers: Iterable[JobHandler], limits: ChildLimits, places: Places) -> None:
        self._handlers = {handler.kind: handler for handler in handlers}
        self._limits = limits
        modules = dict.fromkeys(name for each in self._handlers.values() for name in each.modules)
        self._children = WarmChildren(limits, list(modules))
        self._places = places
        self._solving: set[Solving] = set()
        self._stopping = threading.Event()
        self._changed = threading.Condition()

    def warm(self, number: int) -> None:
        """Have children load their libraries before the first job comes."""
        self._children.warm(number)

    def run(self, kind: str, job_id: str) -> None:
        """Have one job computed and publish what comes of it; doing so again changes nothing.

        Raises
        ------
        JobLeft
            The worker stops before it is published, or has no place for it.
        """
        handler = self._handlers[kind]
        with self._places.place_for(job_id) as place:
            outcome, attempt = self._solve(handler, job_id)
            place.free()
            self._publish(handler, job_id, outcome, attempt)

    def end_overdue(self) -> None:
        """Kill the children that take too long; to be called several times a second."""
        with self._changed:
            for solving in self._solving:
                if time.monotonic() - solving.began > self._limits.seconds:
                    too_long = TooLong.after(self._limits.seconds, solving.progress)
                    solving.end({"problem": too_long.body()})

    def end_unwanted(self) -> None:
        """Kill the children whose jobs were cancelled; to be called several times a second."""
        with self._changed:
            by_handler = defaultdict(list)
            for solving in self._solving:
                by_handler[solving.handler].append(solving)
        for handler, solvings in by_handler.items():
            unwanted = handler.unwanted([solving.job_id for solving in solvings])
            with self._changed:
                for solving in self._solving.intersection(solvings):
                    if solving.job_id in unwanted:
                        solving.end({})

    @property
    def busy(self) -> bool:
        """Whether a child is computing."""
        with self._changed:
            return bool(self._solving)

    def stop(self) -> None:
        """Kill every child and give the jobs back; none begins from here on."""
        with self._changed:
            self._stopping.set()
            for solving in self._solving:
                solving.child.kill()
            self._changed.wait_for(lambda: not self._solving, STOP_SECONDS)
        self._children.end()

    def _solve(self, handler: JobHandler, job_id: str) -> tuple[Outcome, int | None]:
        """Have a job computed; a child that dies is replaced as often as the job may be begun.

        Returns
        -------
        outcome, attempt
            What came of it, and of which attempt; of none if it could not be begun.
        """
        attempt = None
        try:
            while task := self._begin(handler, job_id):
                attempt = task.attempt
                outcome = self._attempt(handler, job_id, task)
                if outcome is not None:
                    return outcome, attempt
        except Exception as error:
            logger.exception("job failed", kind=handler.kind, job_id=job_id)
            return {"problem": ComputationFailed.in_worker(error).body()}, attempt
        return {}, attempt

    def _publish(
        self, handler: JobHandler, job_id: str, outcome: Outcome, attempt: int | None
    ) -> None:
        try:
            if "output" in outcome:
                output = outcome["output"]
                self._insist(lambda: handler.publish(job_id, output))
                return
        except Exception as error:
            logger.exception("job not published", kind=handler.kind, job_id=job_id)
            outcome = {"problem": ComputationFailed.in_worker(error).body()}
        if "problem" in outcome:
            problem = outcome["problem"]
            self._insist(lambda: handler.fail(job_id, problem, attempt))

    def _begin(self, handler: JobHandler, job_id: str) -> ChildTask | None:
        if self._stopping.is_set():
            raise JobLeft
        return self._insist(lambda: handler.prepare(job_id))

    def _attempt(self, handler: JobHandler, job_id: str, task: ChildTask) -> Outcome | None:
        """Have a child compute a task; None when it died and there may be another attempt."""
        solving = Solving(handler, job_id, self._children.take())
        with self._changed:
            self._solving.add(solving)
            if self._stopping.is_set():
                solving.child.kill()
        try:
            outcome = solving.child.compute(task, solving.report)
        except ChildDied as death:
            self._children.replace(solving.child)
            return self._outcome_of(death, solving, task)
        finally:
            self._finish(solving)
        if "output" in outcome:
            self._children.keep(solving.child)
        else:
            self._children.replace(solving.child)
        return outcome

    def _finish(self, solving: Solving) -> None:
        # Under the lock, so that a kill meant for this job never meets the child's next one.
        with self._changed:
            self._solving.remove(solving)
            self._changed.notify_all()

    def _outcome_of(self, death: ChildDied, solving: Solving, task: ChildTask) -> Outcome | None:
        if solving.verdict is not None:
            return solving.verdict
        if self._stopping.is_set():
            try:
                solving.handler.give_back(solving.job_id, task.attempt)
            except SQLAlchemyError:
                logger.warning("job not given back", job_id=solving.job_id, exc_info=True)
            raise JobLeft from death
        logger.warning("child died", job_id=solving.job_id, cause=death.cause, attempt=task.attempt)
        if task.attempt < MAX_ATTEMPTS:
            return None
        return {"problem": ComputationDied.of(death.cause).body()}

    def _insist(self, transaction: Callable[[], Done]) -> Done:
        """Do a transaction; while the database is away or full, wait for it."""
        while True:
            try:
                return transaction()
            except (OperationalError, InterfaceError, PoolTimeout):
                logger.warning("the database did not answer", exc_info=True)
                if self._stopping.wait(DATABASE_AWAY_SECONDS):
                    raise JobLeft from None

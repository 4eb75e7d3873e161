"""Runs jobs: prepares them, has children compute them, publishes what came of it."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import structlog
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from app.jobs.children import Child, ChildDied, ChildLimits, WarmChildren
from app.jobs.handlers import JobHandler, Outcome, Report
from app.jobs.problems import ComputationDied, ComputationFailed

logger = structlog.stdlib.get_logger("wassay.jobs")

PROGRESS_SECONDS = 1.0
DATABASE_AWAY_SECONDS = 1.0
STOP_SECONDS = 5.0

Done = TypeVar("Done")


class WorkerStopping(BaseException):
    """The worker is going: the job is left as it is, for the next one.

    Not an `Exception`, so that nobody on the way takes it for an outcome and records it.
    """


@dataclass(eq=False)
class Solving:
    """A job that a child is computing at this moment."""

    handler: JobHandler
    job_id: str
    child: Child
    unwanted: bool = False


class JobRunner:
    """Runs jobs, each in the thread that calls, until it is stopped."""

    def __init__(self, handlers: Iterable[JobHandler], limits: ChildLimits) -> None:
        self._handlers = {handler.kind: handler for handler in handlers}
        self._children = WarmChildren(limits)
        self._solving: set[Solving] = set()
        self._stopping = threading.Event()
        self._changed = threading.Condition()

    def solve(self, kind: str, job_id: str) -> Outcome:
        """Have one job computed, and wait for it.

        Raises
        ------
        WorkerStopping
            The worker stops before there is an outcome.
        """
        try:
            return self._solve(self._handlers[kind], job_id)
        except Exception as error:
            logger.exception("job failed", kind=kind, job_id=job_id)
            return {"problem": stumbled(error).body()}

    def publish(self, kind: str, job_id: str, outcome: Outcome) -> None:
        """Publish an outcome; doing so again changes nothing.

        Raises
        ------
        WorkerStopping
            The worker stops before it is published.
        """
        handler = self._handlers[kind]
        try:
            if "output" in outcome:
                output = outcome["output"]
                self._insist(lambda: handler.publish(job_id, output))
                return
        except Exception as error:
            logger.exception("job not published", kind=kind, job_id=job_id)
            outcome = {"problem": stumbled(error).body()}
        if "problem" in outcome:
            problem = outcome["problem"]
            self._insist(lambda: handler.fail(job_id, problem))

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
                        solving.unwanted = True
                        solving.child.kill()

    def stop(self) -> None:
        """Kill every child and give the jobs back; none begins from here on."""
        with self._changed:
            self._stopping.set()
            for solving in self._solving:
                solving.child.kill()
            self._changed.wait_for(lambda: not self._solving, STOP_SECONDS)
        self._children.end()

    def _solve(self, handler: JobHandler, job_id: str) -> Outcome:
        task = self._insist(lambda: handler.prepare(job_id))
        if task is None:
            return {}
        solving = self._begin(handler, job_id)
        try:
            outcome = solving.child.compute(task, self._reporter(handler, job_id))
        except ChildDied as death:
            outcome = self._outcome_of(death, solving)
        finally:
            self._finish(solving)
        if "output" in outcome:
            self._children.keep(solving.child)
        else:
            solving.child.end()
        return outcome

    def _begin(self, handler: JobHandler, job_id: str) -> Solving:
        solving = Solving(handler, job_id, self._children.take())
        with self._changed:
            self._solving.add(solving)
            if self._stopping.is_set():
                solving.child.kill()
        return solving

    def _finish(self, solving: Solving) -> None:
        # Under the lock, so that a kill meant for this job never meets the child's next one.
        with self._changed:
            self._solving.remove(solving)
            self._changed.notify_all()

    def _outcome_of(self, death: ChildDied, solving: Solving) -> Outcome:
        if solving.unwanted:
            return {}
        if not self._stopping.is_set():
            return {"problem": died(death).body()}
        try:
            solving.handler.give_back(solving.job_id)
        except SQLAlchemyError:
            logger.warning("job not given back", job_id=solving.job_id, exc_info=True)
        raise WorkerStopping from death

    def _insist(self, transaction: Callable[[], Done]) -> Done:
        """Do a transaction; while the database is away, wait for it."""
        while not self._stopping.is_set():
            try:
                return transaction()
            except OperationalError:
                logger.warning("the database did not answer", exc_info=True)
                self._stopping.wait(DATABASE_AWAY_SECONDS)
        raise WorkerStopping

    @staticmethod
    def _reporter(handler: JobHandler, job_id: str) -> Report:
        last = -PROGRESS_SECONDS

        def report(done: int, total: int) -> None:
            nonlocal last
            if time.monotonic() - last < PROGRESS_SECONDS:
                return
            last = time.monotonic()
            try:
                handler.progress(job_id, done, total)
            except SQLAlchemyError:
                logger.warning("progress not noted", job_id=job_id, exc_info=True)

        return report


def stumbled(error: Exception) -> ComputationFailed:
    """Return the problem of an error that nobody foresaw, in the worker itself."""
    return ComputationFailed(
        f"The worker raised {type(error).__name__}. The operator's log says more."
    )


def died(death: ChildDied) -> ComputationDied:
    """Return the problem of a child that ended without an answer."""
    return ComputationDied(
        f"The process that computed it ended without an answer ({death.cause}); often the "
        "machine ran out of memory. Ask again, with fewer points, or on a larger machine.",
        cause=death.cause,
    )

"""Runs jobs: prepares them, has children compute them, publishes what came of it."""

import threading
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import structlog
from sqlalchemy.exc import SQLAlchemyError

from app.jobs.children import Child, ChildDied, ChildLimits, WarmChildren
from app.jobs.handlers import JobHandler, Outcome, Report
from app.jobs.problems import ComputationDied, ComputationFailed

logger = structlog.get_logger(__name__)

PROGRESS_SECONDS = 1.0


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
        self._stopping = False
        self._lock = threading.Lock()

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
            problem = ComputationFailed(
                f"The worker raised {type(error).__name__}. The operator's log says more."
            )
            return {"problem": problem.body()}

    def publish(self, kind: str, job_id: str, outcome: Outcome) -> None:
        """Publish an outcome; doing so again changes nothing."""
        handler = self._handlers[kind]
        if "output" in outcome:
            handler.publish(job_id, outcome["output"])
        elif "problem" in outcome:
            handler.fail(job_id, outcome["problem"])

    def end_unwanted(self) -> None:
        """Kill the children whose jobs were cancelled; to be called several times a second."""
        with self._lock:
            by_handler = defaultdict(list)
            for solving in self._solving:
                by_handler[solving.handler].append(solving)
        for handler, solvings in by_handler.items():
            unwanted = handler.unwanted([solving.job_id for solving in solvings])
            with self._lock:
                for solving in self._solving.intersection(solvings):
                    if solving.job_id in unwanted:
                        solving.unwanted = True
                        solving.child.kill()

    def stop(self) -> None:
        """Kill every child and give the jobs back; none begins from here on."""
        with self._lock:
            self._stopping = True
            interrupted = list(self._solving)
            for solving in interrupted:
                solving.child.kill()
        self._children.end()
        for solving in interrupted:
            solving.handler.give_back(solving.job_id)

    def _solve(self, handler: JobHandler, job_id: str) -> Outcome:
        if self._stopping:
            raise WorkerStopping
        task = handler.prepare(job_id)
        if task is None:
            return {}
        solving = self._begin(handler, job_id)
        try:
            outcome = solving.child.compute(task, self._reporter(handler, job_id))
        except ChildDied as death:
            self._finish(solving)
            solving.child.end()
            if solving.unwanted:
                return {}
            if self._stopping:
                raise WorkerStopping from death
            return {"problem": died(death).body()}
        self._finish(solving)
        if "output" in outcome:
            self._children.keep(solving.child)
        else:
            solving.child.end()
        return outcome

    def _begin(self, handler: JobHandler, job_id: str) -> Solving:
        child = self._children.take()
        solving = Solving(handler, job_id, child)
        with self._lock:
            self._solving.add(solving)
            if self._stopping:
                child.kill()
        return solving

    def _finish(self, solving: Solving) -> None:
        # Under the lock, so that a kill meant for this job never meets the child's next one.
        with self._lock:
            self._solving.remove(solving)

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


def died(death: ChildDied) -> ComputationDied:
    """Return the problem of a child that ended without an answer."""
    return ComputationDied(
        f"The process that computed it ended without an answer ({death.cause}); often the "
        "machine ran out of memory. Ask again, with fewer points, or on a larger machine.",
        cause=death.cause,
    )

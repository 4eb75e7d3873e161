"""Run jobs: prepare each, compute it in a solver process, and publish its outcome."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import structlog
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from structlog.contextvars import bound_contextvars

from . import job_metrics
from .attempts import may_attempt_again
from .handlers import JobHandler, Outcome, ProcessTask
from .problems import ComputationDied, ComputationFailed, MachineFailed, TooLong
from .process_pool import ProcessDied, ProcessLimits, ProcessPool
from .running_job import RunningJob
from .slots import JobAbandoned, Slots

logger = structlog.stdlib.get_logger("wassay.jobs")

RETRY_SECONDS = 1.0
STOP_SECONDS = 5.0

T = TypeVar("T")


class JobRunner:
    """Run jobs until stopped, each in the thread that calls `run`.

    Parameters
    ----------
    handlers
        The handler of each kind of job.
    limits
        The limits of each solver process.
    max_attempts
        How often a job may be attempted if its processes die.
    slots
        Limits how many jobs are computed at the same time.
    examine
        Receives the fault of the machine that made a job fail, or None, and returns the fault that
        a check finds, or None. After either fault, the worker is out of service.
    """

    def __init__(
        self,
        handlers: Iterable[JobHandler],
        limits: ProcessLimits,
        max_attempts: int,
        slots: Slots,
        examine: Callable[[str | None], str | None] = lambda _: None,
    ) -> None:
        self._handlers = {handler.kind: handler for handler in handlers}
        job_metrics.expect(self._handlers)
        self._limits = limits
        self._max_attempts = max_attempts
        modules = dict.fromkeys(name for each in self._handlers.values() for name in each.modules)
        self._processes = ProcessPool(limits, list(modules))
        self._slots = slots
        self._examine = examine
        self._running: set[RunningJob] = set()
        self._stopping = threading.Event()
        self._changed = threading.Condition()

    def warm_up(self, number: int) -> None:
        """Start `number` processes, which load their libraries and then wait for tasks."""
        self._processes.warm_up(number)

    def run(self, kind: str, job_id: str) -> None:
        """Compute one job, and publish its outcome; do nothing if the job has ended.

        Raises
        ------
        JobAbandoned
            If the worker stops before the job is published, the job gets no slot in time, or the
            machine has a fault.
        """
        handler = self._handlers[kind]
        ahead: object | None = None

        def read_ahead() -> None:
            nonlocal ahead
            with suppress(SQLAlchemyError):  # if the database does not respond, `_begin` waits
                ahead = handler.read_ahead(job_id)

        with (
            self._slots.slot_for(job_id, read_ahead) as slot,
            bound_contextvars(kind=kind, job_id=job_id, **handler.log_fields(job_id)),
            _observed(kind) as end,
        ):
            outcome, end["attempt"] = self._compute(handler, job_id, ahead)
            self._give_back_if_machine_failed(handler, job_id, outcome, end["attempt"])
            slot.free()
            outcome = self._publish(handler, job_id, outcome, end["attempt"], ahead)
            end["outcome"] = _in_a_word(outcome)
            if "problem" in outcome:
                end["problem"] = outcome["problem"]["type"]

    def kill_overdue(self) -> None:
        """Kill the processes that exceed the time limit; call this several times a second."""
        with self._changed:
            for job in self._running:
                if time.monotonic() - job.began_at > self._limits.seconds:
                    too_long = TooLong.after(self._limits.seconds, job.progress)
                    job.force({"problem": too_long.body()})

    def kill_unwanted(self) -> None:
        """Kill the processes of jobs that their handlers no longer want.

        Call this several times a second.
        """
        with self._changed:
            by_handler = defaultdict(list)
            for job in self._running:
                by_handler[job.handler].append(job)
        for handler, jobs in by_handler.items():
            unwanted = handler.unwanted([job.job_id for job in jobs])
            with self._changed:
                for job in self._running.intersection(jobs):
                    if job.job_id in unwanted:
                        job.force({})

    def start_fault(self) -> str | None:
        """Return why solver processes cannot start; None if they can.

        If the last start failed, first try to start another process.
        """
        return self._processes.start_fault()

    @property
    def busy(self) -> bool:
        """Whether any process is computing a job."""
        with self._changed:
            return bool(self._running)

    def stop(self) -> None:
        """Begin no more jobs; kill every process, and give back the jobs of these processes."""
        with self._changed:
            self._stopping.set()
            for job in self._running:
                job.process.kill()
            self._changed.wait_for(lambda: not self._running, STOP_SECONDS)
        self._processes.close()

    def _compute(
        self, handler: JobHandler, job_id: str, ahead: object | None
    ) -> tuple[Outcome, int | None]:
        """Begin attempts at a job until it has an outcome.

        The first attempt gets `ahead`, the value of the handler's `read_ahead`.

        Returns
        -------
        outcome, attempt
            The outcome, and the number of the last attempt; None if no attempt could begin.
        """
        attempt = None
        try:
            while task := self._begin(handler, job_id, ahead):
                attempt, ahead = task.attempt, None
                outcome = self._attempt(handler, job_id, task)
                if outcome is not None:
                    return outcome, attempt
        except Exception as error:
            logger.exception("job failed", kind=handler.kind, job_id=job_id)
            return _outcome_of(error), attempt
        return {}, attempt

    def _give_back_if_machine_failed(
        self, handler: JobHandler, job_id: str, outcome: Outcome, attempt: int | None
    ) -> None:
        """Leave the job to another worker if a fault of this machine may have made the job fail.

        Raises
        ------
        JobAbandoned
            If the job is left to another worker.
        """
        fault = outcome.get("machine_fault")
        if fault is None:
            return
        is_last = attempt is None or not may_attempt_again(attempt, self._max_attempts)
        # Any fault takes this worker out of service.
        found = self._examine(None if is_last else fault)
        if found is None and is_last:
            return  # the job itself may be at fault
        logger.warning("job given back", job_id=job_id, attempt=attempt, fault=found or fault)
        if attempt is not None:
            # If a check finds the machine at fault, the attempt does not count.
            self._retry_transaction(
                lambda: handler.give_back(job_id, attempt, counted=found is None)
            )
        raise JobAbandoned

    def _publish(
        self,
        handler: JobHandler,
        job_id: str,
        outcome: Outcome,
        attempt: int | None,
        ahead: object | None,
    ) -> Outcome:
        """Publish the output of a job or, if its computation ended with a problem, fail the job.

        Returns
        -------
        Outcome
            The given outcome. If publishing raised an error, the problem of that error.

        Raises
        ------
        JobAbandoned
            If the worker stops while the database does not respond. Also if a fault of this machine
            prevented publishing.
        """
        try:
            if "output" in outcome:
                output = outcome["output"]
                self._retry_transaction(lambda: handler.publish(job_id, output, ahead))
                return outcome
        except Exception as error:
            logger.exception("job not published", kind=handler.kind, job_id=job_id)
            outcome = _outcome_of(error)
            self._give_back_if_machine_failed(handler, job_id, outcome, attempt)
        if "problem" in outcome:
            problem = outcome["problem"]
            self._retry_transaction(lambda: handler.fail(job_id, problem, attempt))
        return outcome

    def _begin(self, handler: JobHandler, job_id: str, ahead: object | None) -> ProcessTask | None:
        if self._stopping.is_set():
            raise JobAbandoned
        return self._retry_transaction(lambda: handler.prepare(job_id, ahead))

    def _attempt(self, handler: JobHandler, job_id: str, task: ProcessTask) -> Outcome | None:
        """Compute a task in a process, and return the outcome.

        Return None if the process died and another attempt may begin.
        """
        logger.info("job begins", attempt=task.attempt)
        job = RunningJob(handler, job_id, self._processes.acquire())
        with self._changed:
            self._running.add(job)
            if self._stopping.is_set():
                job.process.kill()
        try:
            outcome = job.process.compute(task, job.on_progress)
        except ProcessDied as death:
            self._processes.replace(job.process)
            return self._outcome_of_death(death, job, task)
        finally:
            self._finish(job)
        if "output" in outcome:
            self._processes.release(job.process)
        else:
            self._processes.replace(job.process)
        return outcome

    def _finish(self, job: RunningJob) -> None:
        # Hold the lock, so that a kill that is meant for this job cannot hit the process's next
        # job.
        with self._changed:
            self._running.remove(job)
            self._changed.notify_all()

    def _outcome_of_death(
        self, death: ProcessDied, job: RunningJob, task: ProcessTask
    ) -> Outcome | None:
        if job.forced_outcome is not None:
            return job.forced_outcome
        if self._stopping.is_set():
            try:
                job.handler.give_back(job.job_id, task.attempt)
            except SQLAlchemyError:
                logger.warning("job not given back", job_id=job.job_id, exc_info=True)
            raise JobAbandoned from death
        job_metrics.deaths.inc()
        if not death.was_ready:
            problem = ComputationDied.of(death.cause, task.attempt).body()
            return {
                "problem": problem,
                "machine_fault": self._processes.note_failed_start(death),
            }
        logger.warning("process died", job_id=job.job_id, cause=death.cause, attempt=task.attempt)
        if may_attempt_again(task.attempt, self._max_attempts):
            return None
        return {"problem": ComputationDied.of(death.cause, self._max_attempts).body()}

    def _retry_transaction(self, transaction: Callable[[], T]) -> T:
        """Run a transaction; retry it while the database does not respond or is full.

        Raise `JobAbandoned` if the worker stops meanwhile.
        """
        while True:
            try:
                return transaction()
            except (OperationalError, InterfaceError, PoolTimeout):
                logger.warning("the database did not respond", exc_info=True)
                if self._stopping.wait(RETRY_SECONDS):
                    raise JobAbandoned from None


@contextmanager
def _observed(kind: str) -> Iterator[dict[str, Any]]:
    """Log and count the end of a job of this `kind` after the block.

    Yield the fields of the log entry, which the block fills in.
    """
    began = time.monotonic()
    end: dict[str, Any] = {"attempt": None, "outcome": "given back"}
    try:
        with job_metrics.running.track_inprogress():
            yield end
    finally:
        seconds = time.monotonic() - began
        logger.info("job ends", **end, seconds=round(seconds, 3))
        problem = end.get("problem", "").rpartition("/")[2]
        job_metrics.ended.labels(kind, end["outcome"], problem).inc()
        job_metrics.durations.labels(kind).observe(seconds)


def _in_a_word(outcome: Outcome) -> str:
    if "output" in outcome:
        return "published"
    return "failed" if "problem" in outcome else "dropped"


def _outcome_of(error: Exception) -> Outcome:
    """Return the outcome for an error in the worker itself."""
    if isinstance(error, OSError):
        failed = MachineFailed(error)
        return {"problem": failed.body(), "machine_fault": failed.cause}
    return {"problem": ComputationFailed.in_worker(error).body()}

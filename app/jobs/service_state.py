"""Take a worker out of service while its machine has a fault, and back once it has none."""

import math
import threading
import time
from collections.abc import Callable

import structlog
from sqlalchemy.exc import SQLAlchemyError

from . import job_metrics
from .slots import Slots
from .worker_registry import WorkerRegistry

logger = structlog.stdlib.get_logger("wassay.jobs")

CHECK_SECONDS = 5.0
"""How often a worker that is out of service checks its machine again, in seconds."""
# Meanwhile, other workers make the job's next attempts. Without others, the attempts outlast a
# short fault, such as a disk without room for one large array.
DOUBT_SECONDS = 60.0
"""How long a worker takes no jobs after its machine made a job fail, if a check finds no fault."""


class ServiceState:
    """Whether this worker takes jobs, and why not.

    Parameters
    ----------
    check
        Returns what is wrong with the machine, or None.
    slots
        The slots, which are suspended while the worker is out of service.
    registry
        The registry of workers, where others read why this worker is out of service.
    """

    def __init__(
        self, check: Callable[[], str | None], slots: Slots, registry: WorkerRegistry
    ) -> None:
        self._check = check
        self._slots = slots
        self._registry = registry
        self._fault: str | None = None
        self._doubt: str | None = None
        self._doubted_until = -math.inf
        self._is_reported = True
        self._checked_at = time.monotonic()
        self._supervised_at = time.monotonic()
        self._examining = threading.Lock()

    @property
    def fault(self) -> str | None:
        """Why the worker is out of service; None if it takes jobs."""
        return self._fault

    @property
    def silent_seconds(self) -> float:
        """The seconds since the last round of the supervision loop."""
        return time.monotonic() - self._supervised_at

    def examine(self, job_fault: str | None = None) -> str | None:
        """Check the machine. If something is wrong, go out of service; otherwise take jobs again.

        Parameters
        ----------
        job_fault
            The fault of the machine that made a job fail, or None. After such a fault, the worker
            stays out of service for `DOUBT_SECONDS` even if checks find nothing.

        Returns
        -------
        str or None
            What the check found; None if it found nothing.
        """
        with self._examining:
            found = self._check()
            self._checked_at = time.monotonic()
            if found is None and job_fault is not None:
                self._doubt = job_fault
                self._doubted_until = self._checked_at + DOUBT_SECONDS
            self._set(found or self._doubt_at(self._checked_at))
            return found

    def examine_if_due(self) -> None:
        """Check the machine every `CHECK_SECONDS` while the worker is out of service.

        Each round of the supervision loop must call this: `silent_seconds` counts from the last
        call.
        """
        self._supervised_at = time.monotonic()
        is_due = time.monotonic() - self._checked_at >= CHECK_SECONDS
        # A check also stores the worker's state, if that is not stored yet.
        if is_due and (self._fault is not None or not self._is_reported):
            self.examine()

    def _doubt_at(self, moment: float) -> str | None:
        if moment >= self._doubted_until:
            return None
        return (
            f"a job failed here ({self._doubt}), although the checks find nothing wrong; this "
            f"worker takes jobs again {DOUBT_SECONDS:.0f} s after that"
        )

    def _set(self, fault: str | None) -> None:
        job_metrics.in_service.set(fault is None)
        if fault is None:
            self._slots.resume()
        else:
            self._slots.suspend()
        if fault != self._fault:
            self._log(fault)
            self._fault = fault
            self._is_reported = False
        self._report()

    def _report(self) -> None:
        if not self._is_reported:
            try:
                self._registry.report(self._fault)
                self._is_reported = True
            except SQLAlchemyError:  # the database may be what is at fault
                logger.warning("state of the worker not stored", fault=self._fault)

    def _log(self, fault: str | None) -> None:
        if fault is None:
            logger.warning("the worker is in service again")
        else:
            logger.error("the worker is out of service", fault=fault)

"""Take a worker out of service while its machine has a fault, and back once it has none."""

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


class ServiceState:
    """Whether this worker takes jobs, and why not.

    Parameters
    ----------
    check
        Returns what is wrong with the machine, or None.
    slots
        The slots, which are suspended while the worker is out of service.
    registry
        The registry, which shows others why the worker is out of service.
    """

    def __init__(
        self, check: Callable[[], str | None], slots: Slots, registry: WorkerRegistry
    ) -> None:
        self._check = check
        self._slots = slots
        self._registry = registry
        self._fault: str | None = None
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

    def examine(self) -> str | None:
        """Check the machine. If something is wrong, go out of service, and return what is wrong."""
        with self._examining:
            fault = self._check()
            self._checked_at = time.monotonic()
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
            return fault

    def examine_if_due(self) -> None:
        """Check the machine every `CHECK_SECONDS` while it has a fault or its state is not stored.

        The supervision loop calls this in each round; `silent_seconds` counts from the last call.
        """
        self._supervised_at = time.monotonic()
        is_due = time.monotonic() - self._checked_at >= CHECK_SECONDS
        if is_due and (self._fault is not None or not self._is_reported):
            self.examine()

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

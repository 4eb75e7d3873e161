"""Explain what unfinished evaluations are waiting for: their turn in the queue, or a worker."""

from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import Protocol

from sqlalchemy.orm import Session

from ..database import database_time
from ..engine import FROZEN_LOCK_SECONDS
from ..jobs.queue import pending_jobs
from ..jobs.worker_registry import SILENT_SECONDS, LivingWorker, living_workers
from . import queue_repository
from .jobs.chunk_repository import evaluation_of
from .models import Evaluation

SILENCE_STEP_SECONDS = 10
"""Seconds without a heartbeat are shown as a multiple of this, so that streams send few updates."""


class Followed(Protocol):
    """An `Evaluation`, or a row with the columns that show whether an evaluation is stalled."""

    @property
    def id(self) -> str:
        """The evaluation's id."""

    @property
    def state(self) -> str:
        """`waiting`, `running`, or the state in which it ended."""

    @property
    def updated_at(self) -> datetime:
        """When the evaluation's row last changed."""


class QueueView:
    """The state of the workers and the queue, read once for any number of evaluations.

    Parameters
    ----------
    session
        The session to read with.
    evaluation_ids
        The evaluations whose positions are read in one query. Other positions are read one by one.
    """

    def __init__(self, session: Session, evaluation_ids: Iterable[str] = ()) -> None:
        self._session = session
        ids = list(evaluation_ids)
        self._positions = queue_repository.positions_in_queue(session, ids) if ids else {}

    def position(self, evaluation_id: str) -> int | None:
        """Return an evaluation's position in the queue; None if the evaluation is not waiting."""
        if evaluation_id not in self._positions:
            self._positions |= queue_repository.positions_in_queue(self._session, [evaluation_id])
        return self._positions.get(evaluation_id)

    def reason_of(self, evaluation: Evaluation) -> str | None:
        """Return what an unfinished evaluation is waiting for.

        If a worker is computing it, return why the attempt is not the first; None for a first one.
        """
        if (stalled := self.stall_reason(evaluation)) is not None:
            return stalled
        if evaluation.state == "running":
            return evaluation.reason
        return f"Position {self.position(evaluation.id)} in the queue."

    def stall_reason(self, evaluation: Followed) -> str | None:
        """Return why an unfinished evaluation is stalled; None if it is not stalled.

        It is stalled while no worker is in service, or while a worker that computes it is silent.
        """
        # While its row changes, it is not stalled.
        is_running = evaluation.state == "running"
        if is_running and (self._time - evaluation.updated_at).total_seconds() < SILENT_SECONDS:
            return None
        continues = "goes on" if is_running else "begins"
        if not self._workers:
            return f"No worker is running. The evaluation {continues} when one starts."
        if all(worker.fault is not None for worker in self._workers):
            return (
                "No worker is in service, because each has reported a fault of its machine to the "
                f"operator. The evaluation {continues} when a worker is in service again."
            )
        silences = {
            worker.id: worker.silent_seconds for worker in self._workers if worker.is_silent
        }
        if len(silences) == len(self._workers):
            return (
                f"No worker has sent a heartbeat for {rounded_silence(min(silences.values()))} s. "
                f"The evaluation {continues} when a worker does again, or another worker starts."
            )
        if all(worker.is_silent or worker.fault is not None for worker in self._workers):
            return (
                "No worker is in service, because each has reported a fault of its machine to the "
                f"operator or has sent no heartbeat for {rounded_silence(min(silences.values()))} "
                f"s. The evaluation {continues} when a worker is in service again."
            )
        holding = [
            silence
            for worker_id, silence in silences.items()
            if evaluation.id in map(evaluation_of, self._pending_jobs.get(worker_id, []))
        ]
        if not holding:
            return None
        return (
            "A worker that computes the evaluation, or a chunk of it, has sent no heartbeat for "
            f"{rounded_silence(max(holding))} s. After {FROZEN_LOCK_SECONDS} s another worker "
            "takes over."
        )

    @cached_property
    def _time(self) -> datetime:
        return database_time(self._session)

    @cached_property
    def _workers(self) -> list[LivingWorker]:
        return living_workers(self._session)

    @cached_property
    def _pending_jobs(self) -> dict[str, list[str]]:
        return pending_jobs(self._session)


def rounded_silence(seconds: float) -> int:
    """Round the seconds since a heartbeat down to a multiple of `SILENCE_STEP_SECONDS`."""
    return int(seconds // SILENCE_STEP_SECONDS * SILENCE_STEP_SECONDS)

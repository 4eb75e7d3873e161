"""Explain what evaluations wait for: their turn in the queue, or a worker."""

from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import Protocol

from sqlalchemy.orm import Session

from ..database import FROZEN_SECONDS, database_time
from ..jobs.queue import pending_jobs
from ..jobs.worker_registry import SILENT_SECONDS, LivingWorker, living_workers
from . import repository
from .jobs.chunk_repository import evaluation_of

SILENCE_STEP_SECONDS = 10
"""Silences are rounded down to these steps, so that streams do not send an event every second."""


class Followed(Protocol):
    """What of an evaluation tells whether it waits: an `Evaluation` or a row of these columns."""

    @property
    def id(self) -> str:
        """The evaluation's id."""

    @property
    def state(self) -> str:
        """`waiting`, `running`, or how it ended."""

    @property
    def updated_at(self) -> datetime:
        """When the row changed."""


class QueueView:
    """The workers and the queue, read once for any number of evaluations.

    Parameters
    ----------
    session
        A session.
    evaluation_ids
        The evaluations whose positions to read with one query; others need one query each.
    """

    def __init__(self, session: Session, evaluation_ids: Iterable[str] = ()) -> None:
        self._session = session
        ids = list(evaluation_ids)
        self._positions = repository.positions_in_queue(session, ids) if ids else {}

    def position(self, evaluation_id: str) -> int | None:
        """Return an evaluation's position among all that wait; None if it does not wait."""
        if evaluation_id not in self._positions:
            self._positions |= repository.positions_in_queue(self._session, [evaluation_id])
        return self._positions.get(evaluation_id)

    def stall_reason(self, evaluation: Followed) -> str | None:
        """Return why no worker computes an unfinished evaluation; None if one does or can.

        A running evaluation counts as being computed if its row has changed recently.
        """
        is_running = evaluation.state == "running"
        if is_running and (self._time - evaluation.updated_at).total_seconds() < SILENT_SECONDS:
            return None
        continues = "goes on" if is_running else "begins"
        if not self._workers:
            return f"No worker is running; it {continues} when one does."
        if all(worker.fault is not None for worker in self._workers):
            return (
                "No worker is in service: each reports a fault of its machine to the operator; it "
                f"{continues} when one is in service again."
            )
        silences = {
            worker.id: worker.silent_seconds for worker in self._workers if worker.is_silent
        }
        if len(silences) == len(self._workers):
            return (
                f"No worker has been heard of for {rounded_silence(min(silences.values()))} s; it "
                f"{continues} when one is again, or another starts."
            )
        holding = [
            silence
            for worker_id, silence in silences.items()
            if evaluation.id in map(evaluation_of, self._pending_jobs.get(worker_id, []))
        ]
        if not holding:
            return None
        return (
            "A worker that has it, or a chunk of it, has not been heard of for "
            f"{rounded_silence(max(holding))} s; after {FROZEN_SECONDS} s another takes over."
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
    """Return the seconds of a silence, rounded down to a step."""
    return int(seconds // SILENCE_STEP_SECONDS * SILENCE_STEP_SECONDS)

"""What keeps an evaluation from being computed, as far as workers do."""

from sqlalchemy.orm import Session

from ..database import FROZEN_SECONDS, now
from ..jobs.queue import pending_jobs
from ..jobs.worker_registry import SILENT_SECONDS, living_workers
from .jobs.chunk_repository import evaluation_of
from .models import Evaluation

TOLD_SECONDS = 10
"""Silences are told in steps: who follows an evaluation is not to hear of every second."""


def stall_reason(session: Session, evaluation: Evaluation) -> str | None:
    """Say why nobody computes an evaluation that waits or runs; None: nothing is in its way.

    One that runs and has changed lately, as it does with its progress, is computed by somebody.
    """
    is_running = evaluation.state == "running"
    if is_running and (now() - evaluation.updated_at).total_seconds() < SILENT_SECONDS:
        return None
    workers = living_workers(session)
    comes = "goes on" if is_running else "begins"
    if not workers:
        return f"No worker is running; it {comes} when one does."
    silences = {worker.id: worker.silent_seconds for worker in workers if worker.is_silent}
    if len(silences) == len(workers):
        return (
            f"No worker has been heard of for {told(min(silences.values()))} s; it {comes} when "
            "one is again, or another starts."
        )
    if not silences:
        return None
    taken = pending_jobs(session)
    holding = [
        silence
        for worker_id, silence in silences.items()
        if evaluation.id in map(evaluation_of, taken.get(worker_id, []))
    ]
    if not holding:
        return None
    return (
        f"A worker that took it, or a part of it, has not been heard of for {told(max(holding))} "
        f"s; after {FROZEN_SECONDS} s another takes over."
    )


def told(seconds: float) -> int:
    """Return as many seconds as are told of a silence."""
    return int(seconds // TOLD_SECONDS * TOLD_SECONDS)

"""Explain why no worker computes an evaluation."""

from sqlalchemy.orm import Session

from ..database import FROZEN_SECONDS, now
from ..jobs.queue import pending_jobs
from ..jobs.worker_registry import SILENT_SECONDS, living_workers
from .jobs.chunk_repository import evaluation_of
from .models import Evaluation

SILENCE_STEP_SECONDS = 10
"""Silences are rounded down to steps, so that followers receive no event every second."""


def stall_reason(session: Session, evaluation: Evaluation) -> str | None:
    """Return why no worker computes an evaluation that waits or runs; None if one does or can.

    A running evaluation whose row changed recently, as with its progress, is being computed.
    """
    is_running = evaluation.state == "running"
    if is_running and (now() - evaluation.updated_at).total_seconds() < SILENT_SECONDS:
        return None
    workers = living_workers(session)
    continues = "goes on" if is_running else "begins"
    if not workers:
        return f"No worker is running; it {continues} when one does."
    silences = {worker.id: worker.silent_seconds for worker in workers if worker.is_silent}
    if len(silences) == len(workers):
        return (
            f"No worker has been heard of for {rounded_silence(min(silences.values()))} s; it "
            f"{continues} when one is again, or another starts."
        )
    if not silences:
        return None
    pending = pending_jobs(session)
    holding = [
        silence
        for worker_id, silence in silences.items()
        if evaluation.id in map(evaluation_of, pending.get(worker_id, []))
    ]
    if not holding:
        return None
    return (
        "A worker that has it, or a chunk of it, has not been heard of for "
        f"{rounded_silence(max(holding))} s; after {FROZEN_SECONDS} s another takes over."
    )


def rounded_silence(seconds: float) -> int:
    """Return the seconds of a silence, rounded down to a step."""
    return int(seconds // SILENCE_STEP_SECONDS * SILENCE_STEP_SECONDS)

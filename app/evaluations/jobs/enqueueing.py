"""Enqueue an evaluation, its chunks, and their assembly."""

from sqlalchemy.orm import Session

from ...jobs.queue import JobQueue
from ..models import Evaluation, EvaluationChunk
from . import chunk_repository

EVALUATION_KIND = "evaluation"
CHUNK_KIND = "evaluation-chunk"
FIRST_CHUNK_PRIORITY = 2
"""The priority of a first chunk. New evaluations and assemblies have 1, and go first."""


def enqueue_evaluation(session: Session, queue: JobQueue, evaluation: Evaluation) -> None:
    """Enqueue an evaluation that waits."""
    queue.enqueue(session, EVALUATION_KIND, evaluation.id)


def enqueue_chunks(
    session: Session, queue: JobQueue, evaluation: Evaluation, bounds: list[tuple[int, int]]
) -> None:
    """Cut a locked, running evaluation into chunks of subproblems, and enqueue these.

    Later chunks have a lower priority, so that evaluations take turns: a new one begins before the
    rest of a long one. The last chunk has no subproblems: it assembles the outputs of the others,
    and is enqueued when they have finished.
    """
    solves = bounds[-1][1]
    chunks = [
        EvaluationChunk(
            id=chunk_repository.chunk_id(evaluation.id, number),
            evaluation_id=evaluation.id,
            number=number,
            first=first,
            stop=stop,
        )
        for number, (first, stop) in enumerate([*bounds, (solves, solves)])
    ]
    session.add_all(chunks)
    session.flush()
    for chunk in chunks[:-1]:
        queue.enqueue(session, CHUNK_KIND, chunk.id, priority=FIRST_CHUNK_PRIORITY + chunk.number)
    evaluation.progress_done, evaluation.progress_total = 0, solves


def enqueue_assembly(session: Session, queue: JobQueue, chunk_id: str) -> None:
    """Enqueue the last chunk of an evaluation, after all others have finished."""
    queue.enqueue(session, CHUNK_KIND, chunk_id)

"""Enqueue evaluations, their chunks, and the chunks that build results."""

from sqlalchemy.orm import Session

from ...jobs.queue import JobQueue
from ..models import Evaluation, EvaluationChunk
from . import chunk_repository
from .turns import chunk_turns

EVALUATION_KIND = "evaluation"
CHUNK_KIND = "evaluation-chunk"


def enqueue_evaluation(session: Session, queue: JobQueue, evaluation: Evaluation) -> None:
    """Enqueue a waiting evaluation, with its turn as the job's priority."""
    queue.enqueue(session, EVALUATION_KIND, evaluation.id, priority=evaluation.turn)


def enqueue_chunks(
    session: Session, queue: JobQueue, evaluation: Evaluation, bounds: list[tuple[int, int]]
) -> None:
    """Cut a locked, running evaluation into chunks, and enqueue all that solve subproblems.

    One more chunk builds the result, and is not enqueued yet.

    Parameters
    ----------
    session, queue
        The session to enqueue in, and the queue.
    evaluation
        The evaluation to cut.
    bounds
        The subproblems of each chunk: the index of the first one, and the index after the last one.
    """
    solves = bounds[-1][1]
    # Other evaluations can begin between these chunks; the last one keeps the evaluation's turn.
    turns = [*chunk_turns(session, evaluation, len(bounds)), evaluation.turn]
    chunks = [
        EvaluationChunk(
            id=chunk_repository.chunk_id(evaluation.id, number),
            evaluation_id=evaluation.id,
            number=number,
            first=first,
            stop=stop,
            turn=turns[number],
        )
        for number, (first, stop) in enumerate([*bounds, (solves, solves)])
    ]
    session.add_all(chunks)
    session.flush()
    for chunk in chunks[:-1]:
        queue.enqueue(session, CHUNK_KIND, chunk.id, priority=chunk.turn)
    evaluation.progress_done, evaluation.progress_total = 0, solves


def enqueue_assembly(session: Session, queue: JobQueue, chunk: EvaluationChunk) -> None:
    """Enqueue an evaluation's last chunk, which builds the result from the others' outputs."""
    queue.enqueue(session, CHUNK_KIND, chunk.id, priority=chunk.turn)

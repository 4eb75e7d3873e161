"""Queries of the chunks of running evaluations."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Delete, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from ..models import Evaluation, EvaluationChunk


def chunk_id(evaluation_id: str, number: int | str) -> str:
    """Return the id of an evaluation's chunk.

    If `number` is the empty string, return the prefix of the ids of all its chunks.
    """
    return f"{evaluation_id}.{number}"


def evaluation_of(chunk_id: str) -> str:
    """Return the id of a chunk's evaluation; return an evaluation's id unchanged."""
    return chunk_id.partition(".")[0]


def has_chunks(session: Session, evaluation_id: str) -> bool:
    """Return whether an unfinished evaluation was cut into chunks."""
    chunks = select(EvaluationChunk.id).where(EvaluationChunk.evaluation_id == evaluation_id)
    return session.scalars(chunks.limit(1)).first() is not None


def unfinished_among(connection: Connection, chunk_ids: Collection[str]) -> set[str]:
    """Return which of the given ids belong to a chunk that still exists and has no output yet."""
    return set(
        connection.scalars(
            select(EvaluationChunk.id).where(
                EvaluationChunk.id.in_(chunk_ids), EvaluationChunk.output.is_(None)
            )
        )
    )


def outputs_of(session: Session, evaluation_id: str) -> list[dict[str, Any]]:
    """Return the outputs of an evaluation's finished chunks, in the order of the chunks."""
    finished = (
        select(EvaluationChunk.output)
        .where(EvaluationChunk.evaluation_id == evaluation_id, EvaluationChunk.output.is_not(None))
        .order_by(EvaluationChunk.number)
    )
    return [output for output in session.scalars(finished) if output is not None]


def unfinished(session: Session, evaluation_id: str) -> Sequence[EvaluationChunk]:
    """Return an evaluation's chunks that have no output yet, in order.

    The last one builds the result, and never has an output.
    """
    return session.scalars(
        select(EvaluationChunk)
        .where(EvaluationChunk.evaluation_id == evaluation_id, EvaluationChunk.output.is_(None))
        .order_by(EvaluationChunk.number)
    ).all()


def is_any_running(session: Session, evaluation_id: str) -> bool:
    """Return whether a worker is computing a chunk of an evaluation."""
    running = select(EvaluationChunk.id).where(
        EvaluationChunk.evaluation_id == evaluation_id, EvaluationChunk.running
    )
    return session.scalars(running.limit(1)).first() is not None


def store_progress(session: Session, chunk_id: str, done: int) -> None:
    """Store the progress of a chunk, and the sum over all chunks as the evaluation's progress."""
    session.execute(update(EvaluationChunk).where(EvaluationChunk.id == chunk_id).values(done=done))
    evaluation_id = evaluation_of(chunk_id)
    sum_of_chunks = (
        select(func.sum(EvaluationChunk.done))
        .where(EvaluationChunk.evaluation_id == evaluation_id)
        .scalar_subquery()
    )
    session.execute(
        update(Evaluation)
        .where(Evaluation.id == evaluation_id, Evaluation.state == "running")
        .values(progress_done=sum_of_chunks)
    )


def remove(session: Session, evaluation_id: str) -> None:
    """Delete the chunks of an evaluation that ends; the processes that compute them then stop."""
    session.execute(_removal(), {"evaluation_id": evaluation_id})


@cache
def _removal() -> Delete:
    """Return the statement of `remove`, built once because building takes as long as executing."""
    chunks = delete(EvaluationChunk).where(
        EvaluationChunk.evaluation_id == bindparam("evaluation_id")
    )
    return chunks.execution_options(synchronize_session=False)

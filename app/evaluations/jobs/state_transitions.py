"""The statements that begin, advance and end an evaluation."""

from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, Select, Update, bindparam, select, update
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningUpdate

from ...database import clock_timestamp
from ..models import Evaluation, EvaluationChunk


class LockedState(NamedTuple):
    """The state of a locked evaluation, and when it began; None if it has not begun."""

    state: str
    started_at: datetime | None


def lock_state(session: Session, evaluation_id: str) -> LockedState | None:
    """Lock an evaluation, and return its state and when it began; None if it does not exist."""
    row = session.execute(_lock_state(), {"evaluation_id": evaluation_id}).one_or_none()
    return None if row is None else LockedState(*row)


def begin(connection: Connection, evaluation_id: str) -> datetime | None:
    """Mark an evaluation as running its first attempt, and return when the attempt began.

    If the evaluation does not wait for its first attempt, or has chunks, change nothing, and return
    None.
    """
    return connection.execute(_begin(), {"evaluation_id": evaluation_id}).scalar_one_or_none()


def store_progress(session: Session, evaluation_id: str, done: int, total: int) -> None:
    """Store how many of a running evaluation's subproblems are solved, and how many there are."""
    session.execute(
        update(Evaluation)
        .where(Evaluation.id == evaluation_id, Evaluation.state == "running")
        .values(progress_done=done, progress_total=total)
    )


def succeed(session: Session, evaluation_id: str, finished_at: datetime) -> None:
    """End a locked evaluation whose result is published in the same transaction."""
    ids = {"evaluation_id": evaluation_id, "ended_at": finished_at}
    session.execute(_succeed(), ids)


# Built once, because building a statement takes as long as executing it.


@cache
def _lock_state() -> Select[str, datetime | None]:
    rows = select(Evaluation.state, Evaluation.started_at)
    rows = rows.where(Evaluation.id == bindparam("evaluation_id"))
    return rows.with_for_update(of=Evaluation, key_share=True)


@cache
def _begin() -> ReturningUpdate[datetime | None]:
    cut = select(EvaluationChunk.id).where(EvaluationChunk.evaluation_id == Evaluation.id).exists()
    return (
        update(Evaluation)
        .where(
            Evaluation.id == bindparam("evaluation_id"),
            Evaluation.state == "waiting",
            Evaluation.attempts == 0,
            ~cut,
        )
        .values(
            state="running",
            attempts=1,
            started_at=clock_timestamp(),
            progress_done=None,
            progress_total=None,
        )
        .returning(Evaluation.started_at)
    )


@cache
def _succeed() -> Update:
    return (
        update(Evaluation)
        .where(Evaluation.id == bindparam("evaluation_id"))
        .values(
            state="succeeded",
            finished_at=bindparam("ended_at"),
            progress_done=Evaluation.progress_total,
            reason=None,
        )
        .execution_options(synchronize_session=False)
    )

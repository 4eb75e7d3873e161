"""Say how long evaluations of about some size took lately on this service."""

from statistics import median

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from .models import Evaluation

RECENT = 100
"""How many of the evaluations that succeeded last are read."""
FEWEST = 5
"""With fewer evaluations of the size, nothing is said: one would tell of somebody's alone."""
SAME_SIZE = 4.0
"""The largest factor between estimates of evaluations of about one size."""
SHORTEST_SECONDS = 1.0
"""Shorter estimates count as this: such evaluations take as long as it takes to begin and end."""


def recent_seconds(session: Session, estimated_seconds: float) -> float | None:
    """Return how long an evaluation takes, as those of its size did lately; None if too few did.

    Parameters
    ----------
    session : Session
    estimated_seconds : float
        Processor seconds, by constant rates.
    """
    own = max(estimated_seconds, SHORTEST_SECONDS)
    rates = [
        taken / max(estimated, SHORTEST_SECONDS)
        for estimated, taken in _recent(session)
        if own / SAME_SIZE <= max(estimated, SHORTEST_SECONDS) <= own * SAME_SIZE
    ]
    return own * median(rates) if len(rates) >= FEWEST else None


def _recent(session: Session) -> list[tuple[float, float]]:
    """Return what the last evaluations were estimated to take, and the seconds they took.

    The state is part of the statement's text, so that the database can use its index.
    """
    rows = session.execute(
        select(Evaluation.estimated_seconds, Evaluation.started_at, Evaluation.finished_at)
        .where(Evaluation.state == bindparam("state", "succeeded", literal_execute=True))
        .order_by(Evaluation.finished_at.desc())
        .limit(RECENT)
    )
    return [
        (estimated, (finished - started).total_seconds())
        for estimated, started, finished in rows
        if started is not None and finished is not None
    ]

"""Estimate how long an evaluation takes, from recent ones of about its size on this service."""

from statistics import median

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from .models import Evaluation

RECENT = 100
"""How many of the evaluations that succeeded last are considered."""
FEWEST = 5
"""Fewer evaluations of about the same size give no estimate: it could reveal one account's use."""
SAME_SIZE = 4.0
"""The largest ratio between the estimated times of evaluations of about the same size."""
SHORTEST_SECONDS = 1.0
"""Shorter estimated times count as this: an evaluation takes longer to start and to end."""


def recent_seconds(session: Session, estimated_seconds: float) -> float | None:
    """Estimate how many seconds an evaluation takes once it has begun.

    Return None if fewer than `FEWEST` recent evaluations had about the same size.

    Parameters
    ----------
    session : Session
        The session to read with.
    estimated_seconds : float
        The evaluation's processor seconds, estimated from constant rates (`computing.rates`).
    """
    own = max(estimated_seconds, SHORTEST_SECONDS)
    rates = [
        taken / max(estimated, SHORTEST_SECONDS)
        for estimated, taken in _recent(session)
        if own / SAME_SIZE <= max(estimated, SHORTEST_SECONDS) <= own * SAME_SIZE
    ]
    return own * median(rates) if len(rates) >= FEWEST else None


def _recent(session: Session) -> list[tuple[float, float]]:
    """Return the estimated and the actual seconds of the last `RECENT` successful evaluations."""
    rows = session.execute(
        select(Evaluation.estimated_seconds, Evaluation.started_at, Evaluation.finished_at)
        # A literal, not a parameter, so that the database can use the partial index for this state.
        .where(Evaluation.state == bindparam("state", "succeeded", literal_execute=True))
        .order_by(Evaluation.finished_at.desc())
        .limit(RECENT)
    )
    return [
        (estimated, (finished - started).total_seconds())
        for estimated, started, finished in rows
        if started is not None and finished is not None
    ]

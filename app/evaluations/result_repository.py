"""Queries of results, and of the scores of points and labels."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from .models import Result, ScoredPoints


def result_of(session: Session, evaluation_id: str) -> Result | None:
    """Return the result of an evaluation, or None."""
    return session.get(Result, evaluation_id)


def scored_points(
    session: Session, evaluation_id: str, contribution_id: str | None
) -> Sequence[ScoredPoints]:
    """Return where the scores of a contribution's points are stored, by ascending s.

    A `contribution_id` of None stands for the buyer's points.
    """
    owner: Any = ScoredPoints.contribution_id
    return session.scalars(
        select(ScoredPoints)
        .where(
            ScoredPoints.evaluation_id == evaluation_id,
            owner.is_(None) if contribution_id is None else owner == contribution_id,
            ScoredPoints.kind == "points",
        )
        .order_by(ScoredPoints.s)
    ).all()


def scored_labels(
    session: Session, evaluation_id: str, contribution_id: str
) -> Sequence[ScoredPoints]:
    """Return where the scores of a contribution's labels are stored, by ascending s.

    Rows of the kind `swept-labels` are only for the buyer; the row of the kind `labels` is also for
    the seller.
    """
    return session.scalars(
        select(ScoredPoints)
        .where(
            ScoredPoints.evaluation_id == evaluation_id,
            ScoredPoints.contribution_id == contribution_id,
            ScoredPoints.kind != "points",
        )
        .order_by(ScoredPoints.s)
    ).all()

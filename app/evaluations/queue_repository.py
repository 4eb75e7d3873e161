"""Queries of the queue in which the evaluations of all accounts wait."""

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import Select, bindparam, case, func, select
from sqlalchemy.orm import Session

from ..accounts.models import Account
from ..requests.models import Request
from .models import UNFINISHED, Evaluation


class Backlog(NamedTuple):
    """The unfinished evaluations of an account and its organisation, and the turns in the queue.

    A turn is the number that orders the queue (`jobs.turns`).

    Attributes
    ----------
    of_account, of_organisation
        How many evaluations of the account, and of its organisation, are waiting or running.
    reached_turn
        The largest turn of all evaluations that have begun; 1 if none has begun.
    last_turn
        The largest turn of the organisation's evaluations that are unfinished, or that began with
        `reached_turn`; 0 if there are none.
    """

    of_account: int
    of_organisation: int
    reached_turn: int
    last_turn: int


def backlog_of(session: Session, account_id: str, organisation_key: str) -> Backlog:
    """Return the backlog of an account, and of the organisation with this key."""
    statements = _backlog_statements()
    reached_turn = session.scalars(statements.reached_turn).one() or 1
    values = {"organisation_key": organisation_key}
    of_account, count, last_turn = session.execute(
        statements.unfinished, {**values, "account_id": account_id}
    ).one()
    has_reached = session.scalars(
        statements.with_turn, {**values, "reached_turn": reached_turn}
    ).first()
    last_turn = max(last_turn or 0, reached_turn if has_reached else 0)
    return Backlog(of_account, count, reached_turn, last_turn)


class _BacklogStatements(NamedTuple):
    reached_turn: Select[int]
    unfinished: Select[int, int, int]
    with_turn: Select[str]


@cache
def _backlog_statements() -> _BacklogStatements:
    own = Request.account_id == bindparam("account_id")
    of_organisation = Account.organisation_key == bindparam("organisation_key")
    begun = Evaluation.started_at.is_not(None)
    return _BacklogStatements(
        select(func.max(Evaluation.turn)).where(begun),
        select(
            func.count(case((own, 1))),
            func.count(case((of_organisation, 1))),
            func.max(case((of_organisation, Evaluation.turn))),
        )
        .select_from(Evaluation)
        .join(Evaluation.request)
        .join(Request.account)
        .where(Evaluation.state.in_(UNFINISHED)),
        select(Evaluation.id)
        .join(Evaluation.request)
        .join(Request.account)
        .where(begun, Evaluation.turn >= bindparam("reached_turn"), of_organisation)
        .limit(1),
    )


def positions_in_queue(session: Session, evaluation_ids: Collection[str]) -> dict[str, int]:
    """Return the positions of evaluations in the queue of all accounts, counted from 1.

    Leave out evaluations that are not waiting.
    """
    rank = func.row_number().over(order_by=(Evaluation.turn, Evaluation.created_at, Evaluation.id))
    queue = (
        select(Evaluation.id, rank.label("position"))
        .where(Evaluation.state == "waiting")
        .subquery()
    )
    rows = session.execute(
        select(queue.c.id, queue.c.position).where(queue.c.id.in_(evaluation_ids))
    )
    return dict(rows.all())


def count_unfinished(session: Session) -> dict[str, int]:
    """Return how many evaluations of all accounts are unfinished, keyed by their state."""
    rows = session.execute(
        select(Evaluation.state, func.count())
        # Literals, not parameters, so that the database can use the partial index of unfinished
        # evaluations.
        .where(Evaluation.state.in_(bindparam("states", UNFINISHED, literal_execute=True)))
        .group_by(Evaluation.state)
    )
    return dict.fromkeys(UNFINISHED, 0) | dict(rows.all())


def oldest_waiting(session: Session) -> datetime | None:
    """Return when the oldest waiting evaluation was created; None if none is waiting."""
    return session.scalars(
        select(func.min(Evaluation.created_at)).where(
            Evaluation.state == bindparam("state", "waiting", literal_execute=True)
        )
    ).one()

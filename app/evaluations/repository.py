"""Queries of evaluations. Buyers see those of their requests, sellers those they contributed to.

The parameters `buyer_id` and `seller_id` are the caller's account. Where they may be None, None
stands for a caller whose key lacks that scope.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    String,
    Update,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, defaultload
from sqlalchemy.sql.dml import ReturningUpdate

from ..accounts.models import Account
from ..contributions.models import Contribution
from ..database import clock_timestamp
from ..requests.models import BuyerMeasure, Request
from .models import EvaluatedContribution, Evaluation, EvaluationChunk, Result, ScoredPoints

UNFINISHED = ("waiting", "running")

Id = str | BindParameter[str]
"""An id, or a bound parameter that stands for one in a statement that is built once."""


class Stamp(NamedTuple):
    """The columns that show whether an evaluation has changed."""

    id: str
    state: str
    updated_at: datetime


class Begun(NamedTuple):
    """The state of an evaluation, and when it began; None if it has not begun."""

    state: str
    started_at: datetime | None


class Backlog(NamedTuple):
    """The unfinished evaluations of an account and its organisation, and the turns in the queue.

    A turn is the number that orders the queue (`jobs.turns`).

    Attributes
    ----------
    of_account, of_organisation
        How many evaluations of the account, and of its organisation, are waiting or running.
    reached_turn
        The turn that the queue has reached: the largest turn of all evaluations that have begun; 1
        if none has begun.
    last_turn
        The largest turn of the organisation's waiting and running evaluations; or `reached_turn`,
        if that is larger and an evaluation of the organisation has begun with it; otherwise 0.
    """

    of_account: int
    of_organisation: int
    reached_turn: int
    last_turn: int


def every() -> Select[Evaluation]:
    """Select the evaluations of all accounts, with their contributions.

    The contributions' accounts, listings and requests are not loaded, because neither workers nor
    readers of an evaluation need them.
    """
    contribution = defaultload(Evaluation.contributions).defaultload(
        EvaluatedContribution.contribution
    )
    return select(Evaluation).options(
        contribution.lazyload(Contribution.account),
        contribution.lazyload(Contribution.listing),
        contribution.lazyload(Contribution.request),
    )


def owned_by(account_id: Id) -> Select[Evaluation]:
    """Select the evaluations of a buyer's own requests."""
    return every().join(Evaluation.request).where(Request.account_id == account_id)


def visible_to(buyer_id: Id | None, seller_id: Id | None) -> Select[Evaluation]:
    """Select the evaluations that the caller may see, as the request's buyer or as a seller.

    `buyer_id` and `seller_id` are the caller's account, each None if the caller's key lacks that
    scope.
    """
    takes_part = (
        select(EvaluatedContribution)
        .join(EvaluatedContribution.contribution)
        .where(
            EvaluatedContribution.evaluation_id == Evaluation.id,
            Contribution.account_id == seller_id,
        )
        .exists()
    )
    return every().join(Evaluation.request).where(or_(Request.account_id == buyer_id, takes_part))


def visible(
    session: Session, buyer_id: str | None, seller_id: str | None, evaluation_id: str
) -> Evaluation | None:
    """Return the evaluation with this id, or None if the caller may not see it.

    See `visible_to` for the ids of the caller.
    """
    values = {"buyer_id": buyer_id, "seller_id": seller_id, "evaluation_id": evaluation_id}
    return session.scalars(_visible(), values).one_or_none()


def own(session: Session, buyer_id: str, evaluation_id: str, *, lock: bool) -> Evaluation | None:
    """Return the buyer's own evaluation with this id, or None; with `lock`, lock its row."""
    values = {"buyer_id": buyer_id, "evaluation_id": evaluation_id}
    return session.scalars(_own(lock=lock), values).one_or_none()


def locked(session: Session, evaluation_id: str) -> Evaluation | None:
    """Return and lock the evaluation with this id, of any account; None if it is missing.

    This checks no rights.
    """
    return session.scalars(_locked(), {"evaluation_id": evaluation_id}).one_or_none()


def read(session: Session, evaluation_id: str) -> Evaluation | None:
    """Return the evaluation with this id, of any account, unlocked; None if it is missing.

    This checks no rights.
    """
    return session.scalars(_any_one(), {"evaluation_id": evaluation_id}).one_or_none()


def lock_state(session: Session, evaluation_id: str) -> Begun | None:
    """Lock an evaluation, and return only its state and when it began; None if it is missing."""
    row = session.execute(_lock_state(), {"evaluation_id": evaluation_id}).one_or_none()
    return None if row is None else Begun(*row)


def succeed(session: Session, evaluation_id: str, finished_at: datetime) -> None:
    """End a locked evaluation whose result is published in the same transaction."""
    ids = {"evaluation_id": evaluation_id, "ended_at": finished_at}
    session.execute(_succeed(), ids)


def begin(connection: Connection, evaluation_id: str) -> datetime | None:
    """Mark an evaluation as running its first attempt, and return the time.

    Return None, and change nothing, unless the evaluation waits for its first attempt and has no
    chunks.
    """
    return connection.execute(_begin(), {"evaluation_id": evaluation_id}).scalar_one_or_none()


# Built once, because building a statement takes as long as executing it.


@cache
def _visible() -> Select[Evaluation]:
    buyer_id, seller_id = (bindparam(name, type_=String) for name in ("buyer_id", "seller_id"))
    return visible_to(buyer_id, seller_id).where(Evaluation.id == bindparam("evaluation_id"))


@cache
def _own(*, lock: bool) -> Select[Evaluation]:
    rows = owned_by(bindparam("buyer_id")).where(Evaluation.id == bindparam("evaluation_id"))
    return rows.with_for_update(of=Evaluation, key_share=True) if lock else rows


@cache
def _any_one() -> Select[Evaluation]:
    return every().where(Evaluation.id == bindparam("evaluation_id"))


@cache
def _locked() -> Select[Evaluation]:
    return _any_one().with_for_update(of=Evaluation, key_share=True)


@cache
def _lock_state() -> Select[str, datetime | None]:
    rows = select(Evaluation.state, Evaluation.started_at)
    rows = rows.where(Evaluation.id == bindparam("evaluation_id"))
    return rows.with_for_update(of=Evaluation, key_share=True)


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


def unfinished_of(session: Session, request_id: str) -> Sequence[Evaluation]:
    """Return and lock the waiting and running evaluations of a request."""
    return session.scalars(
        every()
        .where(Evaluation.request_id == request_id, Evaluation.state.in_(UNFINISHED))
        .order_by(Evaluation.id)
        .with_for_update(of=Evaluation, key_share=True)
    ).all()


def unfinished_ids(session: Session, request_id: str) -> list[str]:
    """Return the ids of a request's waiting and running evaluations."""
    return list(
        session.scalars(
            select(Evaluation.id)
            .where(Evaluation.request_id == request_id, Evaluation.state.in_(UNFINISHED))
            .order_by(Evaluation.id)
        )
    )


def unfinished_ids_with(session: Session, contribution_id: str) -> list[str]:
    """Return the ids of the waiting and running evaluations that use a contribution.

    The evaluations are not locked. Before ending one, lock first the evaluation, then its
    contributions.
    """
    return list(
        session.scalars(
            select(Evaluation.id)
            .join(EvaluatedContribution, EvaluatedContribution.evaluation_id == Evaluation.id)
            .where(
                EvaluatedContribution.contribution_id == contribution_id,
                Evaluation.state.in_(UNFINISHED),
            )
            .order_by(Evaluation.id)
        )
    )


def unfinished_ids_of(session: Session, account_id: str) -> list[str]:
    """Return the ids of the waiting and running evaluations that an account asked for."""
    return list(
        session.scalars(
            select(Evaluation.id)
            .join(Evaluation.request)
            .where(Request.account_id == account_id, Evaluation.state.in_(UNFINISHED))
            .order_by(Evaluation.id)
        )
    )


def finished_among(connection: Connection, evaluation_ids: Collection[str]) -> set[str]:
    """Return which of the given evaluations have ended, by their ids."""
    return set(
        connection.scalars(
            select(Evaluation.id).where(
                Evaluation.id.in_(evaluation_ids), Evaluation.state.not_in(UNFINISHED)
            )
        )
    )


def backlog_of(session: Session, account_id: str, organisation_key: str) -> Backlog:
    """Return the backlog of an account; see `Account` for its `organisation_key`."""
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

    Evaluations that are not waiting are left out.
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


def stamps_of(session: Session, evaluation_ids: Collection[str]) -> Sequence[Stamp]:
    """Return the `Stamp` of each evaluation, which shows whether it has changed.

    This checks no rights.
    """
    rows = session.execute(
        select(Evaluation.id, Evaluation.state, Evaluation.updated_at).where(
            Evaluation.id.in_(evaluation_ids)
        )
    )
    return [Stamp(*row) for row in rows]


def with_ids(session: Session, evaluation_ids: Collection[str]) -> Sequence[Evaluation]:
    """Return evaluations of any accounts, for readers whose rights have been checked."""
    return session.scalars(every().where(Evaluation.id.in_(evaluation_ids))).all()


def failed_evaluations(session: Session) -> Sequence[Evaluation]:
    """Return all failed evaluations, oldest first."""
    failed = select(Evaluation).where(Evaluation.state == "failed")
    return session.scalars(failed.order_by(Evaluation.finished_at, Evaluation.id)).all()


def count_unfinished(session: Session) -> dict[str, int]:
    """Return how many evaluations of all accounts are waiting, and how many are running.

    The SQL has the states as literals and not as parameters, so that the database can use the
    partial index of unfinished evaluations.
    """
    rows = session.execute(
        select(Evaluation.state, func.count())
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


def store_progress(session: Session, evaluation_id: str, done: int, total: int) -> None:
    """Store how many of a running evaluation's steps are done, and how many there are."""
    session.execute(
        update(Evaluation)
        .where(Evaluation.id == evaluation_id, Evaluation.state == "running")
        .values(progress_done=done, progress_total=total)
    )


@dataclass(frozen=True)
class DatasetEvaluation:
    """An evaluation that used a dataset, as the caps of the dataset count it.

    Attributes
    ----------
    request_id : str
    question : str
        A digest of the inputs, not one of the `questions`. Evaluations with the same digest have
        the same result.
    questions : int
        The number of solved distances that involve the dataset: one for each s of each coalition
        and of each pair.
    epsilon : float or None
        The ε of the request's noise; None if it has no noise.
    """

    request_id: str
    question: str
    questions: int
    epsilon: float | None


def evaluations_of_dataset(
    session: Session, contribution: Contribution, organisation_key: str
) -> Sequence[DatasetEvaluation]:
    """Return the evaluations of a contribution's dataset that one organisation asked for.

    The oldest is the first. See `Account` for the `organisation_key`.

    Failed evaluations are included, because a failure also discloses something. Evaluations that
    were cancelled before they began are not.
    """
    same_dataset = (
        (Contribution.account_id == contribution.account_id) & Contribution.listing_id.is_(None)
        if contribution.listing_id is None
        else Contribution.listing_id == contribution.listing_id
    )
    rows = session.execute(
        select(
            Evaluation.request_id,
            Evaluation.question,
            EvaluatedContribution.coalitions,
            Request.epsilon,
            Request.sweep,
        )
        .join(Evaluation.request)
        .join(Request.account)
        .join(EvaluatedContribution, EvaluatedContribution.evaluation_id == Evaluation.id)
        .join(EvaluatedContribution.contribution)
        .where(
            Account.organisation_key == organisation_key,
            or_(Evaluation.state != "cancelled", Evaluation.started_at.is_not(None)),
            same_dataset,
        )
        .order_by(Evaluation.created_at, Evaluation.id)
    )
    return [
        DatasetEvaluation(request_id, question, coalitions * len(sweep), epsilon)
        for request_id, question, coalitions, epsilon, sweep in rows
    ]


def used_by_others(session: Session, evaluation: Evaluation) -> set[str]:
    """Return the ids of an evaluation's contributions that other evaluations use, too.

    Only other evaluations that are waiting, are running or have succeeded count.
    """
    own = [used.contribution_id for used in evaluation.contributions]
    return set(
        session.scalars(
            select(EvaluatedContribution.contribution_id)
            .join(Evaluation, Evaluation.id == EvaluatedContribution.evaluation_id)
            .where(
                EvaluatedContribution.contribution_id.in_(own),
                Evaluation.id != evaluation.id,
                Evaluation.state.in_((*UNFINISHED, "succeeded")),
            )
        )
    )


def measure_of(session: Session, request_id: str) -> BuyerMeasure:
    """Return the buyer's measure of a request that was opened, and so has one."""
    return session.get_one(BuyerMeasure, request_id)


def result_of(session: Session, evaluation_id: str) -> Result | None:
    """Return the result of an evaluation, or None."""
    return session.get(Result, evaluation_id)


def scored_points(
    session: Session, evaluation_id: str, contribution_id: str | None
) -> Sequence[ScoredPoints]:
    """Return the scores of a contribution's points, by ascending s; None stands for the buyer."""
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
    """Return the scores of a contribution's labels, by ascending s.

    Those of the kind `swept-labels` are for the buyer, one row for each of several s. The one row
    of the kind `labels` is for both parties.
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

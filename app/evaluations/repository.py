"""Queries of evaluations.

`buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None; likewise
`seller_id`.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import BindParameter, Connection, Select, String, bindparam, or_, select
from sqlalchemy.orm import Session, defaultload

from ..contributions.models import Contribution
from ..requests.models import BuyerMeasure, Request
from .models import UNFINISHED, EvaluatedContribution, Evaluation

Id = str | BindParameter[str]
"""An id, or a bound parameter that stands for one in a statement that is built once."""


class Stamp(NamedTuple):
    """The columns that show whether an evaluation has changed."""

    id: str
    state: str
    updated_at: datetime


def every() -> Select[Evaluation]:
    """Select the evaluations of all accounts, with their contributions."""
    # Neither workers nor readers of an evaluation need the contributions' accounts, listings and
    # requests.
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
    """Select the evaluations of the caller's requests, and those that use the caller's data.

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
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

    `buyer_id` is the caller's account if the caller's key has the scope `buyer`, else None;
    likewise `seller_id`.
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

    To end one of them, lock the evaluation first, then its contributions.
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
    """Return which of the given ids belong to an evaluation that has ended."""
    return set(
        connection.scalars(
            select(Evaluation.id).where(
                Evaluation.id.in_(evaluation_ids), Evaluation.state.not_in(UNFINISHED)
            )
        )
    )


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
    """Return the evaluations with these ids, of any accounts.

    This checks no rights.
    """
    return session.scalars(every().where(Evaluation.id.in_(evaluation_ids))).all()


def failed_evaluations(session: Session) -> Sequence[Evaluation]:
    """Return all failed evaluations, in the order in which they failed."""
    failed = select(Evaluation).where(Evaluation.state == "failed")
    return session.scalars(failed.order_by(Evaluation.finished_at, Evaluation.id)).all()


def used_by_others(session: Session, evaluation: Evaluation) -> set[str]:
    """Return the ids of an evaluation's contributions that other evaluations use, too.

    Failed and cancelled evaluations do not count.
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
    """Return the buyer's measure of a request, which must have been opened."""
    return session.get_one(BuyerMeasure, request_id)

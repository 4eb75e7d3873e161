"""Delete, every hour, what is no longer needed."""

import threading
from collections.abc import Sequence
from datetime import timedelta

import structlog
from sqlalchemy import and_, delete, exists, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from ..accounts.admin_actions import forget_actions
from ..arrays.problems import StorageUnavailable
from ..arrays.store import ArrayStore
from ..contributions.models import Contribution, ContributionArray
from ..database import Database, database_time
from ..evaluations import repository
from ..http.models import IdempotentCall
from ..requests.models import BuyerMeasure, Invitation, Request
from ..settings import Settings
from .accounts import closed_since, erase_account
from .measures import erase_measure
from .stored_bytes import delete_scheduled, delete_unreferenced
from .withdrawals import erase_arrays

logger = structlog.stdlib.get_logger("wassay.retention")

UNREFERENCED_RETENTION = timedelta(days=7)
"""The age at which an array that no row refers to is deleted.

No upload or evaluation takes so long between storing an array and inserting its row.
"""
IDEMPOTENCY_RETENTION = timedelta(days=2)
"""How long a call can be repeated with the same `Idempotency-Key`."""
ERASURE_REPEATED = timedelta(days=2)
"""For how long a closed account is erased again: calls under way may have added data."""
CLEANUP_SECONDS = 3600.0


def clean_up(
    database: Database,
    store: ArrayStore,
    retention: timedelta | None,
    admin_actions: timedelta | None = None,
) -> None:
    """Delete old uploads, unreferenced arrays, and data of recently closed accounts.

    Also delete old records of calls with an `Idempotency-Key` and of administrators' actions.

    Parameters
    ----------
    database, store
    retention
        How long a request's arrays stay after the request's end, or after a draft's last change.
        None: forever.
    admin_actions
        How long the records of administrators' actions stay. None: forever.
    """
    store.remove_abandoned()
    with database.snapshot() as session:
        closed = closed_since(session, database_time(session) - ERASURE_REPEATED)
    for account_id in closed:
        erase_account(database, store, account_id)
    if retention is not None:
        expire_requests(database, retention)
    with database.transaction() as session:
        oldest = database_time(session) - IDEMPOTENCY_RETENTION
        session.execute(delete(IdempotentCall).where(IdempotentCall.created_at < oldest))
        if admin_actions is not None:
            forget_actions(session, admin_actions)
    deleted = delete_scheduled(database, store)
    deleted += delete_unreferenced(database, store, UNREFERENCED_RETENTION)
    if deleted:
        logger.info("arrays deleted", count=deleted)


def clean_up_hourly(
    database: Database, store: ArrayStore, settings: Settings, stop: threading.Event
) -> None:
    """Clean up now and every hour until `stop` is set. A failure is logged."""
    while True:
        try:
            clean_up(database, store, settings.retention, settings.admin_action_retention)
        except (SQLAlchemyError, OSError, StorageUnavailable):
            logger.warning("cleanup failed", exc_info=True)
        if stop.wait(CLEANUP_SECONDS):
            return


def expire_requests(database: Database, retention: timedelta) -> None:
    """Delete the measures, the sealed keys and the contributions' uploads of old requests.

    A request is old if it ended, or as a draft was last changed, more than `retention` ago.
    """
    with database.snapshot() as session:
        request_ids = _expired(session, retention)
    for request_id in request_ids:
        with database.transaction() as session:
            _expire(session, request_id)


def _expired(session: Session, retention: timedelta) -> Sequence[str]:
    oldest = database_time(session) - retention
    is_old = or_(
        Request.ended_at < oldest,
        and_(Request.state == "open", Request.expires_at < oldest),
        and_(Request.state == "draft", Request.updated_at < oldest),
    )
    holds_arrays = or_(
        exists().where(BuyerMeasure.request_id == Request.id, BuyerMeasure.deleted_at.is_(None)),
        exists().where(
            Contribution.request_id == Request.id,
            or_(
                Contribution.scalars.is_not(None),
                exists().where(
                    ContributionArray.contribution_id == Contribution.id,
                    ContributionArray.deleted_at.is_(None),
                ),
            ),
        ),
        exists().where(Invitation.request_id == Request.id, Invitation.sealed_key.is_not(None)),
    )
    return session.scalars(select(Request.id).where(is_old, holds_arrays)).all()


def _expire(session: Session, request_id: str) -> None:
    locked = select(Request).where(Request.id == request_id)
    request = session.scalars(locked.with_for_update(of=Request, key_share=True)).one()
    # Unfinished evaluations still need the uploads.
    if repository.unfinished_ids(session, request_id):
        return
    erase_measure(session, request)
    rows = select(Contribution).where(Contribution.request_id == request_id)
    for contribution in session.scalars(
        rows.order_by(Contribution.created_at, Contribution.id).with_for_update(
            of=Contribution, key_share=True
        )
    ):
        erase_arrays(session, contribution)

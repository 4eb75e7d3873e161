"""Record and list the actions of administrators."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from asgi_correlation_id import correlation_id
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.models import AdminActionKind

from ..database import Database, database_time
from ..http.pagination import PageQuery, page
from .models import AdminAction
from .principal import Principal


def record(
    session: Session, caller: Principal | None, action: AdminActionKind, object_id: str | None
) -> None:
    """Record an action of an administrator or of a command; do nothing for any other caller.

    Parameters
    ----------
    session
        The session in which the action is done.
    caller
        Who acts; None for a command on the service's machine.
    action
        What is done.
    object_id
        The id of the account, key or other object of the action. None if the action lists all
        accounts or all evaluations.
    """
    if caller is None or "admin" in caller.scopes:
        session.add(
            AdminAction(
                account_id=None if caller is None else caller.account_id,
                key_id=None if caller is None else caller.key_id,
                action=action,
                object_id=object_id,
                request_id=correlation_id.get(),
            )
        )


@contextmanager
def reading_session(
    database: Database, caller: Principal, action: AdminActionKind, account_id: str
) -> Iterator[Session]:
    """Open a session to read the data of the account `account_id`.

    If the caller is an administrator and the account is not their own, record the `action`.
    """
    if account_id == caller.account_id or "admin" not in caller.scopes:
        with database.snapshot() as session:
            yield session
    else:
        with database.transaction() as session:
            yield session
            record(session, caller, action, account_id)


def list_actions(
    session: Session, query: PageQuery, *, account_id: str | None, object_id: str | None
) -> wire.Page[wire.AdminAction]:
    """Return a page of recorded actions.

    Parameters
    ----------
    account_id
        Return only the actions of this administrator. None: all actions.
    object_id
        Return only the actions on the object with this id. None: all actions.
    """
    rows = select(AdminAction)
    if account_id is not None:
        rows = rows.where(AdminAction.account_id == account_id)
    if object_id is not None:
        rows = rows.where(AdminAction.object_id == object_id)
    return page(session, rows, AdminAction, query, _to_wire)


def forget_actions(session: Session, retention: timedelta) -> None:
    """Delete the records that are older than `retention`."""
    oldest = database_time(session) - retention
    session.execute(delete(AdminAction).where(AdminAction.created_at < oldest))


def _to_wire(row: AdminAction) -> wire.AdminAction:
    fields = {field: getattr(row, field) for field in wire.AdminAction.model_fields}
    return wire.AdminAction.model_validate(fields)

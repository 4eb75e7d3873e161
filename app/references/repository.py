"""Queries of references. An account selects only its own."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from .models import Reference


def references_of(account_id: str) -> Select[Reference]:
    """Select an account's own references."""
    return select(Reference).where(Reference.account_id == account_id)


def reference_of(session: Session, account_id: str, reference_id: str) -> Reference | None:
    """Return the account's own reference with this id, or None."""
    return session.scalars(
        references_of(account_id).where(Reference.id == reference_id)
    ).one_or_none()

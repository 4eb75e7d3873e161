"""Finding a contribution that a caller may see, own or evaluate."""

from collections.abc import Iterable, Sequence

from sqlalchemy.orm import Session

from ..accounts.authentication import Principal
from ..database import now
from ..kit.problems import NotFound
from . import repository
from .models import Contribution


def own_contribution(
    session: Session, caller: Principal, contribution_id: str, *, lock: bool = False
) -> Contribution:
    """Return a seller's own contribution; locked, to be changed.

    Raises
    ------
    NotFound
        If the caller has none such.
    """
    rows = repository.owned_by(caller.account_id)
    return _found(repository.one(session, rows, contribution_id, lock=lock), contribution_id)


def visible_contribution(session: Session, caller: Principal, contribution_id: str) -> Contribution:
    """Return a contribution to its seller, or to the buyer whose request it answers.

    Raises
    ------
    NotFound
        If there is none such.
    """
    rows = repository.visible_to(caller.account_id)
    return _found(repository.one(session, rows, contribution_id, lock=False), contribution_id)


def submitted_contributions(
    session: Session, request_id: str, *, lock: bool = False
) -> Sequence[Contribution]:
    """Return what sellers have submitted to a request, oldest first.

    Locked, they can neither be withdrawn nor change until the transaction ends.
    """
    return repository.submitted_to(session, request_id, lock=lock)


def mark_used(contributions: Sequence[Contribution]) -> None:
    """Mark locked contributions as used by an evaluation: they cannot be withdrawn."""
    for contribution in contributions:
        contribution.used_at = contribution.used_at or now()


def mark_unused(contributions: Iterable[Contribution]) -> None:
    """Mark locked contributions as used by no evaluation any more: they can be withdrawn."""
    for contribution in contributions:
        contribution.used_at = None


def _found(contribution: Contribution | None, contribution_id: str) -> Contribution:
    if contribution is None:
        raise NotFound(f"There is no contribution {contribution_id}.", received=contribution_id)
    return contribution

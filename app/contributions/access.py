"""Find contributions that a caller may use, and mark contributions as used."""

from collections.abc import Iterable, Sequence

from sqlalchemy.orm import Session

from ..accounts.principal import Principal
from ..database import clock_timestamp
from ..http.missing import missing
from . import repository
from .models import Contribution


def own_contribution(
    session: Session, caller: Principal, contribution_id: str, *, lock: bool = False
) -> Contribution:
    """Return the caller's own contribution; with `lock`, lock its row.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    """
    own = repository.own(session, caller.account_id, contribution_id, lock=lock)
    return _required(own, contribution_id)


def visible_contribution(session: Session, caller: Principal, contribution_id: str) -> Contribution:
    """Return a contribution that the caller may see, as its seller or as the request's buyer.

    Raises
    ------
    NotFound
        If there is no such contribution, or the caller may not see it.
    """
    visible = repository.visible(session, caller.as_buyer, caller.as_seller, contribution_id)
    return _required(visible, contribution_id)


def submitted_contributions(
    session: Session, request_id: str, *, lock: bool = False
) -> Sequence[Contribution]:
    """Return the submitted contributions to a request, oldest first.

    With `lock`, the contributions cannot be withdrawn or changed until the transaction ends.
    """
    return repository.submitted_to(session, request_id, lock=lock)


def mark_used(contributions: Sequence[Contribution]) -> None:
    """Mark locked contributions as used. They cannot be withdrawn while their request is open."""
    for contribution in contributions:
        contribution.used_at = contribution.used_at or clock_timestamp()


def mark_unused(contributions: Iterable[Contribution]) -> None:
    """Mark locked contributions as unused, so that they can be withdrawn."""
    for contribution in contributions:
        contribution.used_at = None


def _required(contribution: Contribution | None, contribution_id: str) -> Contribution:
    if contribution is None:
        raise missing("contribution", contribution_id)
    return contribution

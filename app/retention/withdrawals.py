"""Withdraw contributions, and delete their uploads."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..arrays.deletion import schedule_deletion
from ..contributions.access import own_contribution
from ..contributions.models import Contribution
from ..contributions.presentation import contribution_to_wire
from ..contributions.problems import ContributionEnded, ContributionUsed
from ..contributions.service import discard_uploads
from ..database import database_time
from ..evaluations import repository
from ..evaluations.models import ScoredPoints
from ..requests.access import grant_read
from ..requests.states import state_of


def withdraw(session: Session, caller: Principal, contribution_id: str) -> wire.Contribution:
    """Withdraw a contribution and delete its uploads; do nothing if it is already withdrawn.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionEnded
        If the contribution was declined.
    ContributionUsed
        If a waiting or running evaluation uses the contribution, or an evaluation has used it and
        the request is open.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    if contribution.state == "declined":
        raise ContributionEnded(
            f"Contribution {contribution_id} was declined, so there is nothing to withdraw. Only "
            "a draft or a submitted contribution can be withdrawn.",
            expected=["draft", "submitted"],
            received=contribution.state,
        )
    if contribution.state != "withdrawn":
        _require_dispensable(session, contribution)
        withdraw_locked(session, contribution)
    return contribution_to_wire(contribution, caller.account_id)


def withdraw_locked(session: Session, contribution: Contribution) -> None:
    """Withdraw a contribution, and delete its uploads.

    Lock the contribution first, and check that no waiting or running evaluation uses it.
    """
    # The digests and numbers of points of used uploads stay: results, receipts and caps refer to
    # them.
    if contribution.used_at is None:
        discard_uploads(session, contribution)
    else:
        erase_arrays(session, contribution)
    contribution.state = "withdrawn"
    grant_read(session, contribution.request, contribution.account_id, measure=False)
    session.flush()


def erase_arrays(session: Session, contribution: Contribution) -> None:
    """Delete the uploads of a contribution and the scores of its points.

    Lock the contribution first, and check that no waiting or running evaluation uses it.
    """
    for array in contribution.arrays:
        if array.deleted_at is None:
            schedule_deletion(session, array.digest)
            array.deleted_at = database_time(session)
    contribution.scalars = None
    contribution.projection_spread = None
    session.execute(delete(ScoredPoints).where(ScoredPoints.contribution_id == contribution.id))


def _require_dispensable(session: Session, contribution: Contribution) -> None:
    if contribution.used_at is None:
        return
    unfinished = repository.unfinished_ids_with(session, contribution.id)
    if unfinished:
        raise ContributionUsed(
            f"Contribution {contribution.id} cannot be withdrawn, because a waiting or running "
            "evaluation uses it. You can withdraw the contribution if that evaluation fails or is "
            "cancelled, or once the request has ended.",
            received=unfinished,
        )
    if state_of(contribution.request) == "open":
        raise ContributionUsed(
            f"Contribution {contribution.id} cannot be withdrawn, because an evaluation has used "
            f"it since {contribution.used_at.isoformat()}. You can withdraw the contribution once "
            "the request is closed, cancelled or expired."
        )

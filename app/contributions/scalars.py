"""The scalars of a contribution: what a seller who solves the sweep themselves says of it."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.authentication import Principal
from .access import own_contribution
from .disclosures import record_scalars_upload
from .modes.stated_mode import StatedMode
from .presentation import contribution_to_wire
from .service import require_uploadable


def keep_scalars(
    session: Session,
    caller: Principal,
    contribution_id: str,
    mode: StatedMode,
    scalars: wire.Scalars,
) -> wire.Contribution:
    """Keep the scalars of a draft, in place of those before.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft, RequestNotOpen, WrongMode
        As `require_uploadable`.
    OtherSweep
        If they are of other s than the sweep, or not one line for each.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_uploadable(contribution, mode)
    mode.check(contribution.request, scalars)
    kept = scalars.model_dump()
    if kept != contribution.scalars:
        contribution.scalars = kept
        record_scalars_upload(session, contribution, mode, scalars)
        session.flush()
    return contribution_to_wire(contribution, caller.account_id)

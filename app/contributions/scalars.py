"""Store the scalars that a seller computed for a contribution."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from .access import own_contribution
from .disclosures import record_scalars_upload
from .modes.stated_mode import StatedMode
from .presentation import contribution_to_wire
from .service import require_uploadable


def store_scalars(
    session: Session,
    caller: Principal,
    contribution_id: str,
    mode: StatedMode,
    scalars: wire.Scalars,
) -> wire.Contribution:
    """Store the scalars of a draft, in place of earlier scalars.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft, RequestNotOpen, WrongMode
        If the contribution is not a draft, its request is not open, or its mode is another.
    OtherSweep
        If the scalars do not have exactly one line for each s of the sweep.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_uploadable(contribution, mode)
    mode.check(contribution.request, scalars)
    document = scalars.model_dump()
    if document != contribution.scalars:
        contribution.scalars = document
        record_scalars_upload(session, contribution, mode, scalars)
        session.flush()
    return contribution_to_wire(contribution, caller.account_id)

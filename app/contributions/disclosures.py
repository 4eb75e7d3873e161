"""Append disclosures of sellers' data to the ledger."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..ledger.service import LedgerEntry, append_entries
from .models import Contribution, ContributionArray
from .modes.array_mode import ArrayMode
from .modes.stated_mode import StatedMode
from .presentation import digest_of


def record_array_upload(
    session: Session, contribution: Contribution, mode: ArrayMode, array: ContributionArray
) -> None:
    """Record in the ledger that a seller's array is disclosed to the service.

    `mode` is the contribution's mode, which names the kind of the disclosure.
    """
    request = contribution.request
    entry = LedgerEntry(
        owner_id=contribution.account_id,
        dataset=dataset_of(contribution),
        viewer_id=None,
        request_id=request.id,
        kind=mode.disclosure_kind,
        reference_id=request.reference_id,
        sealed=request.reference.disclosure == "sealed",
        points=array.rows,
        dimension=request.reference.raw_dimension + request.scores_labels,
        sweep=[array.s],
        rank=mode.projection_rank(request),
        digest=array.digest,
    )
    append_entries(session, [entry])


def record_scalars_upload(
    session: Session, contribution: Contribution, mode: StatedMode, scalars: wire.Scalars
) -> None:
    """Record in the ledger that a seller's scalars are disclosed to the service.

    `mode` is the contribution's mode, which names the kind of the disclosure.
    """
    request = contribution.request
    entry = LedgerEntry(
        owner_id=contribution.account_id,
        dataset=dataset_of(contribution),
        viewer_id=None,
        request_id=request.id,
        kind=mode.disclosure_kind,
        reference_id=request.reference_id,
        sealed=request.reference.disclosure == "sealed",
        points=scalars.points,
        dimension=request.reference.raw_dimension,
        sweep=request.sweep,
        digest=digest_of(scalars),
    )
    append_entries(session, [entry])


def dataset_of(contribution: Contribution) -> str:
    """Return the id of a contribution's dataset: its listing or, without one, its account."""
    return contribution.listing_id or contribution.account_id

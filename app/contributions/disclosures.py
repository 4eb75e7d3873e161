"""What a contribution discloses of the seller's data, for the ledger."""

from typing import cast

from sqlalchemy.orm import Session

from wassay import models as wire

from ..ledger.service import LedgerEntry, record
from ..requests.models import BuyerMeasure
from .models import Contribution, ContributionArray
from .presentation import digest_of


def array_uploaded(session: Session, contribution: Contribution, array: ContributionArray) -> None:
    """Write down that the service has come to see a measure or a cost block of the seller's."""
    request = contribution.request
    dimension, rank = request.reference.dimension, None
    if contribution.mode == "cost-block":
        # It is open, so it has a measure.
        rank = min(dimension, cast("BuyerMeasure", request.measure).rows - 1)
    entry = LedgerEntry(
        owner_id=contribution.account_id,
        dataset=dataset_of(contribution),
        viewer_id=None,
        request_id=request.id,
        kind="measure" if contribution.mode == "measure" else "cost-block",
        reference_id=request.reference_id,
        sealed=request.reference.disclosure == "sealed",
        points=array.rows,
        dimension=dimension,
        sweep=[array.s],
        rank=rank,
        digest=array.digest,
    )
    record(session, [entry])


def scalars_uploaded(session: Session, contribution: Contribution, scalars: wire.Scalars) -> None:
    """Write down that the service has come to see what a seller says of the sweep."""
    request = contribution.request
    entry = LedgerEntry(
        owner_id=contribution.account_id,
        dataset=dataset_of(contribution),
        viewer_id=None,
        request_id=request.id,
        kind="scalars",
        reference_id=request.reference_id,
        sealed=request.reference.disclosure == "sealed",
        points=scalars.points,
        dimension=request.reference.dimension,
        sweep=request.sweep,
        digest=digest_of(scalars),
    )
    record(session, [entry])


def dataset_of(contribution: Contribution) -> str:
    """Return which dataset answers: the listing, or all that the account has not listed."""
    return contribution.listing_id or contribution.account_id

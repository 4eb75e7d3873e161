"""Append disclosures of buyers' data to the ledger."""

from dataclasses import replace

from sqlalchemy.orm import Session

from wassay.recipes import PublicPart

from ..ledger.service import LedgerEntry, append_entries
from .models import BuyerMeasure, Request


def record_measure_upload(session: Session, request: Request, measure: BuyerMeasure) -> None:
    """Record in the ledger that the buyer's measure is disclosed to the service."""
    append_entries(session, [_measure(request, measure, None)])


def record_measure_access(session: Session, request: Request, seller_id: str) -> None:
    """Record in the ledger that the buyer's measure is disclosed to a seller.

    Do nothing if there is no measure.
    """
    if request.measure is not None:
        append_entries(session, [_measure(request, request.measure, seller_id)])


def record_key_relay(session: Session, request: Request, seller_id: str) -> None:
    """Record in the ledger that a seller gets the key of the request's sealed reference.

    If the request has a recipe, also record that the seller gets what the recipe learned from the
    buyer's rows.
    """
    key = LedgerEntry(
        owner_id=request.account_id,
        dataset=request.account_id,
        viewer_id=seller_id,
        request_id=request.id,
        kind="key",
        reference_id=request.reference_id,
        sealed=True,
        points=0,
        dimension=request.reference.raw_dimension,
        digest=request.reference.commitment,
    )
    entries = [key]
    # The box with the key contains what the recipe learned.
    if request.recipe is not None:
        digest = PublicPart.model_validate(request.recipe).digest()
        points = 0 if request.measure is None else request.measure.rows
        entries.append(replace(key, kind="recipe", points=points, digest=digest))
    append_entries(session, entries)


def _measure(request: Request, measure: BuyerMeasure, viewer_id: str | None) -> LedgerEntry:
    return LedgerEntry(
        owner_id=request.account_id,
        dataset=request.account_id,
        viewer_id=viewer_id,
        request_id=request.id,
        kind="measure",
        reference_id=request.reference_id,
        sealed=request.reference.disclosure == "sealed",
        points=measure.rows,
        dimension=request.reference.raw_dimension + request.labelled,
        rank=request.reference.projection_rank,
        digest=measure.digest,
    )

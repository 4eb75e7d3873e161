"""Disclosures as the wire shows them."""

from wassay import models as wire

from .models import Disclosure


def disclosure_to_wire(row: Disclosure, viewer_id: str) -> wire.Disclosure:
    """Show a row; its place in the ledger to the owner only: others would see how much there is."""
    own = row.owner_id == viewer_id
    fields = {field: getattr(row, field) for field in wire.Disclosure.model_fields}
    hidden = {} if own else {"position": None, "previous_hash": None}
    return wire.Disclosure.model_validate(fields | hidden)

"""Convert disclosures to wire models."""

from wassay import models as wire

from .models import Disclosure


def disclosure_to_wire(row: Disclosure, viewer_id: str) -> wire.Disclosure:
    """Convert a row; hide its place in the chain from viewers.

    From its position, or by guessing what its hashes cover, a viewer could tell the ledger's
    length.
    """
    own = row.owner_id == viewer_id
    fields = {field: getattr(row, field) for field in wire.Disclosure.model_fields}
    hidden = {} if own else {"position": None, "previous_hash": None, "hash": None}
    return wire.Disclosure.model_validate(fields | hidden)

"""Convert disclosures to wire models."""

from wassay import models as wire

from .models import Disclosure


def disclosure_to_wire(row: Disclosure, viewer_id: str) -> wire.Disclosure:
    """Convert a row for `viewer_id`; hide its position and hashes unless this account owns it.

    A viewer could read the length of the ledger from the position, or infer it from the hashes by
    guessing what they cover.
    """
    own = row.owner_id == viewer_id
    fields = {field: getattr(row, field) for field in wire.Disclosure.model_fields}
    hidden = {} if own else {"position": None, "previous_hash": None, "hash": None}
    return wire.Disclosure.model_validate(fields | hidden)

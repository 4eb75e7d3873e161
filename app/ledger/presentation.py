"""Convert disclosures to wire models."""

from wassay import models as wire

from .models import Disclosure


def disclosure_to_wire(row: Disclosure, viewer_id: str) -> wire.Disclosure:
    """Convert a row; hide its position and its hashes from viewers who do not own the ledger.

    From the position, or by guessing what the hashes cover, a viewer could infer how long the
    ledger is.
    """
    own = row.owner_id == viewer_id
    fields = {field: getattr(row, field) for field in wire.Disclosure.model_fields}
    hidden = {} if own else {"position": None, "previous_hash": None, "hash": None}
    return wire.Disclosure.model_validate(fields | hidden)

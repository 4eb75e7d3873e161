"""Convert disclosures to wire models."""

from wassay import models as wire

from .models import Disclosure


def disclosure_to_wire(row: Disclosure, viewer_id: str) -> wire.Disclosure:
    """Convert a row to show to the account `viewer_id`.

    If another account owns the row, leave out the row's position and hashes. The position tells how
    long that account's ledger is, and could be found from the hashes by trial.
    """
    own = row.owner_id == viewer_id
    fields = {field: getattr(row, field) for field in wire.Disclosure.model_fields}
    hidden = {} if own else {"position": None, "previous_hash": None, "hash": None}
    return wire.Disclosure.model_validate(fields | hidden)

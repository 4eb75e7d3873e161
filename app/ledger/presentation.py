"""Convert disclosures to wire models."""

from wassay import models as wire

from .models import Disclosure


def disclosure_to_wire(row: Disclosure, reader_id: str) -> wire.Disclosure:
    """Convert a row to show to the account `reader_id`.

    Leave out the position and the hashes of a row that another account owns.
    """
    # The position tells how long the owner's ledger is. It can be found from the hashes by trial.
    own = row.owner_id == reader_id
    fields = {field: getattr(row, field) for field in wire.Disclosure.model_fields}
    hidden = {} if own else {"position": None, "previous_hash": None, "hash": None}
    return wire.Disclosure.model_validate(fields | hidden)

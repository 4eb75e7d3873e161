"""Receipts as either side reads them: verified when they come."""

from wassay.client.client import Client
from wassay.client.errors import IntegrityError
from wassay.receipts import PublicKey, ReceiptError, VerifiedReceipt, verify


def read_receipt(client: Client, evaluation_id: str) -> VerifiedReceipt:
    """Read one's receipt of an evaluation, and verify it with the keys that the service publishes.

    Raises
    ------
    ConflictError
        When the evaluation is not finished, or failed.
    IntegrityError
        When what came is no receipt of this evaluation, signed with a published key.
    """
    keys = [PublicKey.from_text(key.public_key) for key in client.receipt_keys.list()]
    try:
        verified = verify(client.evaluations.receipt(evaluation_id), keys)
    except ReceiptError as error:
        raise IntegrityError(f"the receipt of {evaluation_id} proves nothing: {error}") from error
    if verified.receipt.evaluation_id != evaluation_id:
        raise IntegrityError(
            f"expected the receipt of {evaluation_id}, came that of "
            f"{verified.receipt.evaluation_id}: tell the service's operator"
        )
    return verified

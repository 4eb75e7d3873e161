"""Read and verify the receipts of evaluations, for buyers and sellers."""

from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing
from wassay.client.errors import IntegrityError
from wassay.receipts import ReceiptError, VerificationKey, VerifiedReceipt, verify


def read_receipt(service: Service[Flowing], evaluation_id: str) -> Flow[VerifiedReceipt]:
    """Read the account's own receipt of an evaluation, and verify it with the published keys.

    Raises
    ------
    ConflictError
        If the evaluation is unfinished or failed.
    IntegrityError
        If no published key signed the receipt, or the receipt is of another evaluation.
    """
    published = yield from service.receipt_keys.list().all()
    keys = [VerificationKey.from_text(key.public_key) for key in published]
    content = yield from service.evaluations.receipt(evaluation_id)
    try:
        verified = verify(content, keys)
    except ReceiptError as error:
        raise IntegrityError(f"the receipt of {evaluation_id} is not valid: {error}") from error
    if verified.receipt.evaluation_id != evaluation_id:
        raise IntegrityError(
            f"expected the receipt of {evaluation_id}, received that of "
            f"{verified.receipt.evaluation_id}: tell the service's operator"
        )
    return verified

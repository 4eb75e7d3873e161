"""Receipts: what the service signs about the inputs and the result of an evaluation."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model
from wassay.models.curves import Certificate
from wassay.models.evaluations import SellerWeighting
from wassay.models.references import Reference
from wassay.models.requests import Mode, Order


class ReceiptInput(Model):
    """An input of an evaluation: one array, or the scalars of one seller.

    `digest` is the SHA-256 of the uploaded bytes; for scalars, of their canonical JSON. If
    `weighted` is true, the array also has a last column of weights, which `columns` does not count.
    For scalars, `rows` is the number of points, and `columns` the number of lines. For the buyer's
    measure, `contribution_id` and `s` are null.
    """

    account_id: str
    contribution_id: str | None
    mode: Mode
    s: float | None
    digest: str
    rows: int
    columns: int
    weighted: bool


class ReceiptCertificate(Model):
    """A certificate, and the JSON pointer (RFC 6901) to its position in the result."""

    pointer: str
    certificate: Certificate


class Receipt(Model):
    """The content of a receipt.

    The buyer's receipt has the `part` `whole`, all inputs, all certificates and the digest of the
    result. A seller's receipt has the `part` `contribution`, the inputs of the seller's
    contribution and the digest of the buyer's receipt. The random `nonce` keeps sellers from
    testing guesses of the buyer's receipt against this digest.
    """

    version: Literal[1] = 1
    part: Literal["whole", "contribution"]
    nonce: str = Field(description="32 random hexadecimal digits.")
    issued_at: datetime
    issued_to: str = Field(description="The account that reads this receipt.")
    evaluation_id: str
    request_id: str
    order: Order
    sweep: list[float]
    seller_weighting: SellerWeighting
    coalitions: list[list[str]] | None = Field(
        description="The requested coalitions of contributions; null in a seller's receipt, "
        "because they name other sellers' contributions."
    )
    extends: str | None = Field(
        description="The evaluation that this evaluation extends. The scores and the result of "
        "that evaluation, except its coalitions and pairs, hold for this evaluation too."
    )
    labelled: bool = Field(
        description="Whether the request is `labelled`. In the modes cost-block and scalar, costs "
        "then include the distances between classes."
    )
    epsilon: float | None = Field(
        description="The ε of a result with noise; null for a result without noise."
    )
    radius: float | None = Field(
        description="The radius of the ball to which points were clipped, for a result with noise."
    )
    reference: Reference
    inputs: list[ReceiptInput]
    software: dict[str, str]
    certificates: list[ReceiptCertificate]
    result_digest: str | None = Field(
        description="The SHA-256 of the result in canonical JSON (RFC 8785); null in a seller's "
        "receipt."
    )
    whole_digest: str | None = Field(
        description="The SHA-256 of the bytes of the buyer's receipt; null in that receipt."
    )
    ledger_head: str = Field(
        description="The hash of the newest row of the reader's own ledger; zeros for an empty "
        "ledger."
    )


class SignedReceipt(Model):
    """A signed receipt in canonical JSON (RFC 8785), the only valid serialization.

    `public_key` and `signature` are in base64. The Ed25519 signature covers the ASCII text
    `wassay receipt 1`, a zero byte, and this document's canonical JSON without `signature`.
    """

    public_key: str
    receipt: Receipt
    signature: str


class ReceiptKey(Listed):
    """A key with which the service signs receipts, or signed them until `retired_at`."""

    id: str
    public_key: str
    created_at: datetime
    retired_at: datetime | None

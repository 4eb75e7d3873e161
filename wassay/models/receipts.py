"""Receipts: the inputs and the result of an evaluation, signed by the service."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model
from wassay.models.evaluations import Certificate, SellerWeighting
from wassay.models.references import Reference
from wassay.models.requests import Mode, Order


class ReceiptInput(Model):
    """An input of an evaluation: one array, or the scalars of one seller.

    `digest` is the SHA-256 of the uploaded bytes; for scalars, that of their canonical JSON, and
    `columns` is the number of lines. The buyer's measure has no `contribution_id` and no `s`.
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
    """A certificate, and its position in the result as a JSON pointer (RFC 6901)."""

    pointer: str
    certificate: Certificate


class Receipt(Model):
    """The content that the service signs.

    The buyer's receipt (`part` is `whole`) has every input, every certificate and the digest of the
    result. A seller's receipt (`contribution`) has the inputs of their own contribution and
    `whole_digest`, the digest of the buyer's receipt, whose nonce prevents guesses of its content.
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
        description="The requested coalitions of contributions; null in a seller's receipt, since "
        "they name other contributions."
    )
    extends: str | None = Field(
        description="The evaluation that this one extends: all of its result but the coalitions, "
        "and its scores, hold for this one."
    )
    labelled: bool = Field(description="Whether costs include the distances of classes.")
    epsilon: float | None = Field(description="The ε of a result with noise.")
    radius: float | None = Field(
        description="The radius of the ball to which points were clipped for it."
    )
    reference: Reference
    inputs: list[ReceiptInput]
    software: dict[str, str]
    certificates: list[ReceiptCertificate]
    result_digest: str | None = Field(
        description="SHA-256 of the result document in canonical JSON (RFC 8785)."
    )
    whole_digest: str | None = Field(description="SHA-256 of the bytes of the buyer's receipt.")
    ledger_head: str = Field(
        description="Hash of the newest row of the reader's own ledger, or zeros."
    )


class SignedReceipt(Model):
    """A signed receipt in canonical JSON (RFC 8785), which has one serialization.

    `signature` is the Ed25519 signature (base64) of `public_key` (base64) over the bytes
    `wassay receipt 1`, a zero, and this document's canonical JSON without the signature.
    """

    public_key: str
    receipt: Receipt
    signature: str


class ReceiptKey(Listed):
    """A key with which the service signs, or signed, receipts."""

    id: str
    public_key: str
    created_at: datetime
    retired_at: datetime | None

"""Receipts: what an evaluation was computed from and what it found, signed by the service."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Model
from wassay.models.evaluations import Certificate, SellerWeighting
from wassay.models.references import Reference
from wassay.models.requests import Mode, Order


class ReceiptInput(Model):
    """One array, or the scalars of one seller, that an evaluation was computed from.

    `digest` is the SHA-256 of the bytes that were uploaded; of scalars, of their canonical JSON,
    and `columns` counts their lines. The buyer's measure has neither a `contribution_id` nor an
    `s`.
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
    """A certificate, and where in the result it stands (a JSON pointer, RFC 6901)."""

    pointer: str
    certificate: Certificate


class Receipt(Model):
    """What the service signs.

    The buyer's receipt (`part` is `whole`) has every input, every certificate and the digest of
    the result. A seller's (`contribution`) has the arrays of their own contribution and
    `whole_digest`, the digest of the buyer's receipt; the nonce in that keeps it from being
    guessed from.
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
        description="Further coalitions of contributions that were asked for; absent from a "
        "seller's "
        "receipt, for they name others' contributions."
    )
    extends: str | None = Field(
        description="The evaluation of which this one takes over all but the coalitions: what it "
        "found "
        "of all together, each alone and all without each, and the scores."
    )
    labelled: bool = Field(description="Whether costs hold the distances of classes.")
    epsilon: float | None = Field(description="Of the noise that answers carry, where they do.")
    radius: float | None = Field(description="Of the ball that points were pulled into for that.")
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
    """A receipt as it travels: canonical JSON (RFC 8785), so that there is one way to write it.

    `signature` is the Ed25519 signature (base64) of `public_key` (base64) over the bytes
    `wassay receipt 1`, a zero, and this document's canonical JSON without the signature.
    """

    public_key: str
    receipt: Receipt
    signature: str


class ReceiptKey(Model):
    """A key that the service signs, or signed, receipts with."""

    id: str
    public_key: str
    created_at: datetime
    retired_at: datetime | None

"""Receipts: what the service signs about the inputs and the result of an evaluation."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model
from wassay.models.curves import Certificate
from wassay.models.descriptions import (
    COLUMNS,
    EPSILON,
    ORDER,
    RADIUS,
    SELLER_WEIGHTING,
    SOFTWARE,
    SWEEP,
    WEIGHTED,
    S,
)
from wassay.models.evaluations import SellerWeighting
from wassay.models.references import Reference
from wassay.models.requests import Mode, Order


class ReceiptInput(Model):
    """An input of an evaluation: one array, or the scalars of one seller."""

    account_id: str = Field(description="The account that uploaded the input.")
    contribution_id: str | None = Field(description="Null for the buyer's measure.")
    mode: Mode = Field(description="The mode of the contribution; `measure` for the buyer's.")
    s: float | None = Field(description=f"{S} Null for scalars and for the buyer's measure.")
    digest: str = Field(
        description="The SHA-256 of the uploaded bytes. For scalars, of their canonical JSON."
    )
    rows: int = Field(description="The number of rows. For scalars, the number of points.")
    columns: int = Field(description=f"{COLUMNS} For scalars, the number of lines.")
    weighted: bool = Field(description=WEIGHTED)


class ReceiptCertificate(Model):
    """A certificate, and its position in the result."""

    pointer: str = Field(
        description="The JSON pointer (RFC 6901) to the certificate's position in the result."
    )
    certificate: Certificate


class Receipt(Model):
    """The content of a receipt: the buyer's, or that of one seller."""

    version: Literal[1] = Field(default=1, description="The version of the receipt's format.")
    part: Literal["whole", "contribution"] = Field(
        description="`whole` in the buyer's receipt, `contribution` in a seller's."
    )
    nonce: str = Field(
        description="32 random hexadecimal digits, which keep sellers from testing guesses of the "
        "buyer's receipt against its digest."
    )
    issued_at: datetime = Field(description="When the receipt was signed.")
    issued_to: str = Field(description="The account that reads this receipt.")
    evaluation_id: str
    request_id: str
    order: Order = Field(description=ORDER)
    sweep: list[float] = Field(description=SWEEP)
    seller_weighting: SellerWeighting = Field(description=SELLER_WEIGHTING)
    coalitions: list[list[str]] | None = Field(
        description="The requested coalitions of contributions. Null in a seller's receipt, "
        "because they name other sellers' contributions."
    )
    extends: str | None = Field(
        description="The evaluation that this evaluation extends. The scores and the result of "
        "that evaluation, except its coalitions and pairs, hold for this evaluation too."
    )
    labelled: bool = Field(
        description="Whether the request is `labelled`. In the modes `cost-block` and `scalar`, "
        "costs then include the distances between classes."
    )
    epsilon: float | None = Field(description=EPSILON)
    radius: float | None = Field(description=RADIUS)
    reference: Reference
    inputs: list[ReceiptInput] = Field(
        description="In a seller's receipt, the inputs of the seller's contribution. In the "
        "buyer's, all inputs or, if the result has noise, the buyer's measure."
    )
    software: dict[str, str] = Field(description=SOFTWARE)
    certificates: list[ReceiptCertificate] = Field(
        description="All certificates of the result. Empty in a seller's receipt."
    )
    result_digest: str | None = Field(
        description="The SHA-256 of the result in canonical JSON (RFC 8785). Null in a seller's "
        "receipt."
    )
    whole_digest: str | None = Field(
        description="The SHA-256 of the bytes of the buyer's receipt. Null in that receipt."
    )
    ledger_head: str = Field(
        description="The hash of the newest row of the reader's own ledger. Zeros for an empty "
        "ledger."
    )


class SignedReceipt(Model):
    """A signed receipt. As JSON, it is valid only in the canonical form (RFC 8785)."""

    public_key: str = Field(description="The service's Ed25519 public key, in base64.")
    receipt: Receipt
    signature: str = Field(
        description="The Ed25519 signature, in base64, of the ASCII text `wassay receipt 1`, a "
        "zero byte, and this document's canonical JSON without `signature`."
    )


class ReceiptKey(Listed):
    """A key with which the service signs, or has signed, receipts."""

    id: str
    public_key: str = Field(description="The Ed25519 public key, in base64.")
    created_at: datetime
    retired_at: datetime | None = Field(
        description="Since when the key signs nothing. Null: it still signs."
    )

"""Receipts: signed by the service, verified by anybody with its public key and no network.

A receipt is canonical JSON (RFC 8785). There is one way to write a document canonically, so that
every byte of a receipt is vouched for: one that is written in any other way is refused, whether
or not it says the same.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import nacl.exceptions
import nacl.signing
import rfc8785
from pydantic import ValidationError

from wassay import models
from wassay.public_key import KEY_BYTES, PublicKey, from_base64
from wassay.strict_json import parse_json

MAX_BYTES = 64 * 2**20
"""The largest receipt, or result, that is read: an evaluation of ten thousand sellers."""

_SIGNED_LABEL = b"wassay receipt 1\0"
_KEY_LABEL = b"wassay receipt key 1\0"


class ReceiptError(ValueError):
    """A receipt that proves nothing, or something else than was claimed; the message says what."""


class VerificationKey(PublicKey):
    """What receipts are verified with: an Ed25519 public key."""

    refusal = ReceiptError

    @property
    def id(self) -> str:
        """What it is called: `rk_` and 128 bits of its SHA-256, in hexadecimal digits."""
        return f"rk_{hashlib.sha256(_KEY_LABEL + self.raw).hexdigest()[:32]}"


class SigningKey:
    """What the service signs receipts with; its `repr` shows the public half only."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ReceiptError(f"a private key has {KEY_BYTES} bytes, received {len(secret)}")
        self._private = nacl.signing.SigningKey(secret)
        self.public = VerificationKey(bytes(self._private.verify_key))

    def __repr__(self) -> str:
        return f"SigningKey({self.public.id!r})"

    @classmethod
    def draw(cls) -> SigningKey:
        """Make a new key from the operating system's secret randomness."""
        return cls(bytes(nacl.signing.SigningKey.generate()))

    @property
    def secret(self) -> bytes:
        """The private half."""
        return bytes(self._private)

    def sign(self, receipt: models.Receipt) -> bytes:
        """Return a receipt as it travels, signed."""
        document: dict[str, Any] = {
            "public_key": self.public.text,
            "receipt": receipt.model_dump(mode="json"),
        }
        signature = self._private.sign(_signed_bytes(document)).signature
        return rfc8785.dumps({**document, "signature": base64.b64encode(signature).decode()})


@dataclass(frozen=True)
class VerifiedReceipt:
    """A receipt whose signature is good.

    Attributes
    ----------
    content : bytes
        As it came.
    receipt : wassay.models.Receipt
    key : VerificationKey
        Whose signature it is.
    """

    content: bytes
    receipt: models.Receipt
    key: VerificationKey

    @property
    def digest(self) -> str:
        """SHA-256 of the content: what sellers' receipts call `whole_digest`."""
        return hashlib.sha256(self.content).hexdigest()

    def require_result(self, document: bytes) -> None:
        """Let only the result pass that the receipt was issued for, however it is laid out.

        Raises
        ------
        ReceiptError
            When the result says anything else, or the receipt is a seller's, which names none.
        """
        expected = self.receipt.result_digest
        if expected is None:
            raise ReceiptError(
                "this is a seller's receipt, which does not name the result: take the buyer's"
            )
        received = result_digest(document)
        if received != expected:
            raise ReceiptError(
                f"the result is not the one that this receipt was issued for: expected the digest "
                f"{expected}, received {received}. Read it again from the service, and save it "
                "whole."
            )

    def input_of(self, array: bytes) -> models.ReceiptInput:
        """Return which input of the evaluation an uploaded array was.

        Raises
        ------
        ReceiptError
            When it was none.
        """
        digest = hashlib.sha256(array).hexdigest()
        for each in self.receipt.inputs:
            if each.digest == digest:
                return each
        raise ReceiptError(
            f"no input of evaluation {self.receipt.evaluation_id} in this receipt has the digest "
            f"{digest}; it has to be the very bytes that were uploaded"
        )


def verify(content: bytes, keys: Collection[VerificationKey] | None = None) -> VerifiedReceipt:
    """Verify a receipt.

    Parameters
    ----------
    content : bytes
        The receipt as the service sent it.
    keys : collection of VerificationKey, optional
        The service's. Without any, the key that the receipt names is taken: then the receipt is
        what its signer signed, and who that was has to be known from elsewhere.

    Raises
    ------
    ReceiptError
        When a single byte is not as it was signed, or it was signed with another key.
    """
    document = _canonical_document(content)
    if not isinstance(document, dict) or document.keys() != {"public_key", "receipt", "signature"}:
        raise ReceiptError("this is no receipt: expected public_key, receipt and signature")
    key = VerificationKey.from_text(document["public_key"])
    if keys is not None and key not in keys:
        raise ReceiptError(
            f"this receipt is signed with the key {key.id} ({key.text}), and not with "
            f"{' or '.join(sorted(each.id for each in keys)) or 'any key of the service'}"
        )
    signature = from_base64(document.pop("signature"), "a signature", ReceiptError)
    try:
        nacl.signing.VerifyKey(key.raw).verify(_signed_bytes(document), signature)
    except (nacl.exceptions.CryptoError, ValueError) as error:
        raise ReceiptError(
            "the signature is not that of this receipt: it was changed after it was signed, or "
            "never signed. Believe nothing in it."
        ) from error
    try:
        receipt = models.Receipt.model_validate(document["receipt"])
    except ValidationError as error:
        raise ReceiptError(
            f"the signature is good, but this version cannot read the receipt: {error}"
        ) from error
    return VerifiedReceipt(content, receipt, key)


def result_digest(document: bytes) -> str:
    """SHA-256 of a result in canonical JSON, which spaces and the order of members do not change.

    Raises
    ------
    ReceiptError
        When it is not JSON, or has a name twice in one object.
    """
    return hashlib.sha256(_canonical(_parsed(document, "a result"))).hexdigest()


def _signed_bytes(document: dict[str, Any]) -> bytes:
    return _SIGNED_LABEL + rfc8785.dumps(document)


def _canonical_document(content: bytes) -> Any:
    document = _parsed(content, "a receipt")
    if _canonical(document) != content:
        raise ReceiptError(
            "this is not the receipt as the service sent it: it is not canonical JSON. Save the "
            "bytes of the answer, without laying them out anew."
        )
    return document


def _canonical(document: Any) -> bytes:
    try:
        return rfc8785.dumps(document)
    except (ValueError, RecursionError) as error:
        raise ReceiptError(f"this cannot be written as canonical JSON: {error}") from error


def _parsed(content: bytes, what: str) -> Any:
    if not isinstance(content, bytes):
        raise ReceiptError(f"expected {what} as bytes, as it was read, received {content!r:.100}")
    if len(content) > MAX_BYTES:
        raise ReceiptError(f"expected {what} of at most {MAX_BYTES} bytes, received {len(content)}")
    try:
        return parse_json(content)
    except ValueError as error:
        raise ReceiptError(f"expected {what} in JSON: {error}") from error

"""Sign receipts, and verify them offline with the service's public key.

A receipt is canonical JSON (RFC 8785); any other form of the same content is rejected.
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
from wassay.errors import WassayError
from wassay.public_key import KEY_BYTES, PublicKey, from_base64
from wassay.strict_json import parse_json

MAX_BYTES = 64 * 2**20
"""The largest receipt or result to read, in bytes: enough for ten thousand sellers."""

_SIGNED_LABEL = b"wassay receipt 1\0"
_KEY_LABEL = b"wassay receipt key 1\0"


class ReceiptError(WassayError, ValueError):
    """A receipt is invalid, or does not certify what was claimed; the message says why."""


class VerificationKey(PublicKey):
    """The Ed25519 public key that verifies a service's receipts."""

    refusal = ReceiptError

    @property
    def id(self) -> str:
        """The key's id: `rk_` and the first 128 bits of a SHA-256 of the key, in hexadecimal."""
        return f"rk_{hashlib.sha256(_KEY_LABEL + self.raw).hexdigest()[:32]}"


class SigningKey:
    """The Ed25519 key pair with which a service signs receipts; `repr` shows only the public half.

    Parameters
    ----------
    secret : bytes
        The private half, 32 bytes.

    Attributes
    ----------
    public : VerificationKey
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise ReceiptError(
                f"expected a private key of {KEY_BYTES} bytes, received {len(secret)}"
            )
        self._private = nacl.signing.SigningKey(secret)
        self.public = VerificationKey(bytes(self._private.verify_key))

    def __repr__(self) -> str:
        return f"SigningKey({self.public.id!r})"

    @classmethod
    def draw(cls) -> SigningKey:
        """Draw a new key from the operating system's random generator."""
        return cls(bytes(nacl.signing.SigningKey.generate()))

    @property
    def secret(self) -> bytes:
        """The private half, 32 bytes."""
        return bytes(self._private)

    def sign(self, receipt: models.Receipt) -> bytes:
        """Sign a receipt.

        Parameters
        ----------
        receipt : wassay.models.Receipt

        Returns
        -------
        bytes
            Canonical JSON with the receipt, the public key and the signature.
        """
        document: dict[str, Any] = {
            "public_key": self.public.text,
            "receipt": receipt.model_dump(mode="json"),
        }
        unsigned = rfc8785.dumps(document)
        signature = self._private.sign(_SIGNED_LABEL + unsigned).signature
        member = rfc8785.dumps({"signature": base64.b64encode(signature).decode()})
        return unsigned[:-1] + b"," + member[1:]  # still canonical: sorted names, `signature` last


@dataclass(frozen=True)
class VerifiedReceipt:
    """A receipt with a valid signature.

    Attributes
    ----------
    content : bytes
        The signed document, byte for byte as the service sent it.
    receipt : wassay.models.Receipt
        The receipt that the document contains.
    key : VerificationKey
        The key that signed the receipt.
    """

    content: bytes
    receipt: models.Receipt
    key: VerificationKey

    @property
    def digest(self) -> str:
        """The SHA-256 of `content`; sellers' receipts name the buyer's receipt by this digest."""
        return hashlib.sha256(self.content).hexdigest()

    def require_result(self, document: bytes) -> None:
        """Raise unless the receipt was issued for a result.

        Parameters
        ----------
        document : bytes
            The result as JSON, in any formatting and with members in any order.

        Raises
        ------
        ReceiptError
            If the receipt was issued for another result, or is a seller's, which certifies no
            result.
        """
        expected = self.receipt.result_digest
        if expected is None:
            raise ReceiptError(
                "expected a buyer's receipt, received a seller's, which does not certify the "
                "result: ask the buyer for theirs"
            )
        received = result_digest(document)
        if received != expected:
            raise ReceiptError(
                f"the result is not the one that this receipt was issued for: expected the digest "
                f"{expected}, received {received}. Read the result again from the service."
            )

    def input_of(self, array: bytes) -> models.ReceiptInput:
        """Return what the receipt says of an uploaded array, an input of the evaluation.

        Parameters
        ----------
        array : bytes
            The array, byte for byte as it was uploaded.

        Returns
        -------
        wassay.models.ReceiptInput

        Raises
        ------
        ReceiptError
            If the array was not an input of the evaluation.
        """
        digest = hashlib.sha256(array).hexdigest()
        for each in self.receipt.inputs:
            if each.digest == digest:
                return each
        raise ReceiptError(
            f"no input of evaluation {self.receipt.evaluation_id} in this receipt has the digest "
            f"{digest}: pass the very bytes that were uploaded"
        )


def verify(content: bytes, keys: Collection[VerificationKey] | None = None) -> VerifiedReceipt:
    """Verify a receipt.

    Parameters
    ----------
    content : bytes
        The receipt as the service sent it.
    keys : collection of VerificationKey, optional
        The service's keys, one of which must have signed the receipt. By default any key is
        accepted.

    Returns
    -------
    VerifiedReceipt

    Raises
    ------
    ReceiptError
        If `content` is not a receipt, was changed after it was signed, or is signed by none of the
        keys.

    Notes
    -----
    Without `keys`, this proves that nobody changed the receipt after it was signed, but not who
    signed it.
    """
    document = _canonical_document(content)
    if not isinstance(document, dict) or document.keys() != {"public_key", "receipt", "signature"}:
        raise ReceiptError(
            "expected a receipt with the members public_key, receipt and signature, received "
            "something else: save what `wassay receipt` or the service returns"
        )
    key = VerificationKey.from_text(document["public_key"])
    if keys is not None and key not in keys:
        raise ReceiptError(
            f"expected a signature by "
            f"{' or '.join(sorted(each.id for each in keys)) or 'a key of the service'}, received "
            f"one by {key.id} ({key.text})"
        )
    signature = from_base64(document.pop("signature"), "a signature", ReceiptError)
    try:
        nacl.signing.VerifyKey(key.raw).verify(_signed_bytes(document), signature)
    except (nacl.exceptions.CryptoError, ValueError) as error:
        raise ReceiptError(
            "the signature is not that of this receipt: it was changed after it was signed, or "
            "never signed. Do not trust it."
        ) from error
    try:
        receipt = models.Receipt.model_validate(document["receipt"])
    except ValidationError as error:
        raise ReceiptError(
            f"the signature is valid, but this version of Wassay cannot read the receipt: {error}"
        ) from error
    return VerifiedReceipt(content, receipt, key)


def result_digest(document: bytes) -> str:
    """Return the SHA-256 of a result's canonical JSON.

    Parameters
    ----------
    document : bytes
        The result as JSON, in any formatting and with members in any order.

    Returns
    -------
    str
        64 hexadecimal digits.

    Raises
    ------
    ReceiptError
        If `document` is not JSON, is too large, or has an object with two members of the same name.
    """
    return hashlib.sha256(_canonical(_parsed(document, "a result"))).hexdigest()


def _signed_bytes(document: dict[str, Any]) -> bytes:
    return _SIGNED_LABEL + rfc8785.dumps(document)


def _canonical_document(content: bytes) -> Any:
    document = _parsed(content, "a receipt")
    # Reject other forms, so that the signature covers every byte.
    if _canonical(document) != content:
        raise ReceiptError(
            "expected a receipt in canonical JSON, as the service sends it, received another form: "
            "save the bytes of the response without reformatting them"
        )
    return document


def _canonical(document: Any) -> bytes:
    try:
        return rfc8785.dumps(document)
    except (ValueError, RecursionError) as error:
        raise ReceiptError(f"expected JSON that has a canonical form: {error}") from error


def _parsed(content: bytes, what: str) -> Any:
    if not isinstance(content, bytes):
        raise ReceiptError(f"expected {what} as bytes, received {content!r:.100}")
    if len(content) > MAX_BYTES:
        raise ReceiptError(f"expected {what} of at most {MAX_BYTES} bytes, received {len(content)}")
    try:
        return parse_json(content)
    except ValueError as error:
        raise ReceiptError(
            f"expected {what} in JSON, received another file ({error}): name the file that the "
            "service's answer was saved to"
        ) from error

"""Parse, write and verify `Content-Digest` and `Repr-Digest` (RFC 9530)."""

import hmac
from typing import Any, cast

import http_sf

from .problems import DigestMismatch

SHA256_BYTES = 32

Digests = dict[str, tuple[Any, dict[str, Any]]]
"""A parsed dictionary of structured fields (RFC 9651): the value and parameters of each key."""


def content_digest(digest: str) -> str:
    """Format a SHA-256 digest, given in hex, as the value of a `Content-Digest`."""
    return http_sf.ser({"sha-256": bytes.fromhex(digest)})


def check_content_digest(field: str | None, digest: str) -> None:
    """Check the digest of the received bytes against the caller's `Content-Digest`, if any.

    Raises
    ------
    DigestMismatch
        If the field contains another digest, or no valid `sha-256`.
    """
    if field is not None:
        check_digest(read_digest("Content-Digest", field), digest)


def check_digest(declared: str, digest: str) -> None:
    """Check the digest of the received bytes against the declared digest, both in hex.

    Raises
    ------
    DigestMismatch
        If the digests differ.
    """
    if not hmac.compare_digest(declared, digest):
        raise DigestMismatch(
            f"Expected bytes with the digest {content_digest(declared)}; received "
            f"{content_digest(digest)}. Either the bytes were changed in transit, or the digest "
            "is of other bytes: compute it from the bytes that you send, and send them again.",
            expected=content_digest(declared),
            received=content_digest(digest),
        )


def read_digest(name: str, field: str) -> str:
    """Return the SHA-256 in a header's value `field`, in hex.

    `name` is the header's name, for the message.

    Raises
    ------
    DigestMismatch
        If the field contains no valid `sha-256`.
    """
    declared = _sha256_of(field)
    if declared is None:
        raise DigestMismatch(
            f"Expected {name} to contain sha-256=:<base64 of 32 bytes>: (RFC 9530); received "
            f"{field[:200]!r}.",
            expected="sha-256=:<base64 of 32 bytes>:",
            received=field[:200],
        )
    return declared.hex()


def _sha256_of(field: str) -> bytes | None:
    try:
        digests = http_sf.parse(field.encode(), tltype="dictionary")
    except http_sf.StructuredFieldError:
        return None
    digest, _parameters = cast("Digests", digests).get("sha-256", (None, {}))
    return digest if isinstance(digest, bytes) and len(digest) == SHA256_BYTES else None

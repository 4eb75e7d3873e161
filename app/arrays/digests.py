"""Digests on the wire: `Content-Digest` (RFC 9530) and the entity tags made of them."""

import hmac
from typing import Any, cast

import http_sf

from .problems import DigestMismatch

SHA256_BYTES = 32

Digests = dict[str, tuple[Any, dict[str, Any]]]
"""A dictionary of structured fields (RFC 9651): a value and its parameters by key."""


def content_digest(digest: str) -> str:
    """Write a SHA-256 digest in hex as the value of a `Content-Digest` field."""
    return http_sf.ser({"sha-256": bytes.fromhex(digest)})


def check_content_digest(field: str | None, digest: str) -> None:
    """Check the digest of what came against the caller's `Content-Digest`, when there is one.

    Raises
    ------
    DigestMismatch
        The field names another digest, or no `sha-256` that can be read.
    """
    if field is not None:
        check_digest(read_digest("Content-Digest", field), digest)


def check_digest(promised: str, digest: str) -> None:
    """Check the digest of what came against the one that the caller promised, both in hex.

    Raises
    ------
    DigestMismatch
    """
    if not hmac.compare_digest(promised, digest):
        raise DigestMismatch(
            "The SHA-256 of what came differs from the one that was promised: it changed on the "
            "way, or something else was hashed. Send it again.",
            expected=content_digest(promised),
            received=content_digest(digest),
        )


def read_digest(name: str, field: str) -> str:
    """Read the SHA-256 digest in a `Content-Digest` or `Repr-Digest`, in hex.

    Raises
    ------
    DigestMismatch
        The field has no `sha-256` that can be read.
    """
    promised = _sha256_of(field)
    if promised is None:
        raise DigestMismatch(
            f"{name} must hold a sha-256 digest in base64 (RFC 9530).",
            expected="sha-256=:<base64 of 32 bytes>:",
            received=field[:200],
        )
    return promised.hex()


def _sha256_of(field: str) -> bytes | None:
    try:
        digests = http_sf.parse(field.encode(), tltype="dictionary")
    except http_sf.StructuredFieldError:
        return None
    digest, _parameters = cast("Digests", digests).get("sha-256", (None, {}))
    return digest if isinstance(digest, bytes) and len(digest) == SHA256_BYTES else None

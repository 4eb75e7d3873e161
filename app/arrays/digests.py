"""Digests on the wire: `Content-Digest` (RFC 9530) and the entity tags made of them."""

import base64
import binascii
import hmac
import re

from app.arrays.problems import DigestMismatch

MEMBER = re.compile(r"\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):\s*")


def content_digest(digest: str) -> str:
    """Write a SHA-256 digest in hex as the value of a `Content-Digest` field."""
    return f"sha-256=:{base64.b64encode(bytes.fromhex(digest)).decode()}:"


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
            came=content_digest(digest),
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
            came=field[:200],
        )
    return promised.hex()


def _sha256_of(field: str) -> bytes | None:
    members = [MEMBER.fullmatch(member) for member in field.split(",")]
    for member in members:
        if member and member[1] == "sha-256":
            try:
                promised = base64.b64decode(member[2], validate=True)
            except binascii.Error:
                return None
            return promised if len(promised) == 32 else None
    return None

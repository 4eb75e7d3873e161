"""The field `Content-Digest` of an upload."""

import base64
import hashlib


def digest_of(content: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"

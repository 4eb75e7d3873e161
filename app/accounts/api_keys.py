"""Draw and hash API keys."""

import hashlib
import secrets
from typing import NamedTuple

PREFIX = "wsy_"
PREFIX_LENGTH = 8
SECRET_BYTES = 32


class DrawnKey(NamedTuple):
    """A new key in plain text, with its prefix and the hash to store."""

    key: str
    prefix: str
    hash: str


def draw_key() -> DrawnKey:
    """Draw a key such as `wsy_1a2b3c4d_…`; its prefix identifies it in lists."""
    prefix = secrets.token_hex(PREFIX_LENGTH // 2)
    key = f"{PREFIX}{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    return DrawnKey(key, prefix, hash_key(key))


def hash_key(key: str) -> str:
    """Return the hash that is stored in place of a key."""
    # Trial cannot find 256 random bits, so a slow hash would protect a key no better.
    return hashlib.sha256(key.encode()).hexdigest()

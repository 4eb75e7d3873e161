"""API keys: how they are made, told apart and hashed.

A key has 256 random bits, so its plain SHA-256 cannot be searched for: a slow hash would only
make every call slow.
"""

import hashlib
import secrets
from typing import NamedTuple

PREFIX_LENGTH = 8
SECRET_BYTES = 32


class DrawnKey(NamedTuple):
    """A new key, in the clear: the only moment it is known."""

    key: str
    prefix: str
    hash: str


def draw_key() -> DrawnKey:
    """Draw a key such as `wsy_1a2b3c4d_…`; the prefix tells keys apart without showing them."""
    prefix = secrets.token_hex(PREFIX_LENGTH // 2)
    key = f"wsy_{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    return DrawnKey(key, prefix, hash_key(key))


def hash_key(key: str) -> str:
    """Return the hash under which a key is kept."""
    return hashlib.sha256(key.encode()).hexdigest()

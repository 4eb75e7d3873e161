"""Identifiers: a prefix for the kind of resource, then 26 characters that sort by time."""

import secrets
import time
from typing import Annotated

from pydantic import StringConstraints

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LENGTH = 26

ID_PATTERN = r"^[!-~]+$"
Id = Annotated[str, StringConstraints(max_length=64, pattern=ID_PATTERN)]
"""An id that a client sends: limited in length and characters, whether or not it exists."""


def new_id(prefix: str) -> str:
    """Draw an id such as `req_01jd…`: 48 bits of milliseconds, then 80 random bits, as a ULID."""
    number = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    return f"{prefix}_" + "".join(
        ALPHABET[number >> shift & 31] for shift in range(5 * (LENGTH - 1), -1, -5)
    )

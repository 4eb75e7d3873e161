"""Public keys as they travel: 32 bytes, which base64 writes in one way only."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import ClassVar, Self

KEY_BYTES = 32


@dataclass(frozen=True)
class PublicKey:
    """The public half of a key pair; each of its kinds says what it is for.

    Attributes
    ----------
    raw : bytes
        32 bytes.
    refusal : type
        What is raised where something else came.
    """

    raw: bytes
    refusal: ClassVar[type[ValueError]] = ValueError

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_BYTES:
            raise self.refusal(f"a public key has {KEY_BYTES} bytes, received {len(self.raw)}")

    @classmethod
    def from_text(cls, text: object) -> Self:
        """Read a public key in base64."""
        return cls(from_base64(text, "a public key", cls.refusal))

    @property
    def text(self) -> str:
        """The key in base64, as it travels."""
        return base64.b64encode(self.raw).decode()


def from_base64(text: object, what: str, refusal: type[ValueError]) -> bytes:
    """Read base64 that is written as RFC 4648 writes it, so that equal bytes have equal texts.

    Raises
    ------
    refusal
        When it is something else, or the unused bits of its last digit are not zero.
    """
    if not isinstance(text, str):
        raise refusal(f"expected {what} in base64, received {text!r}")
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise refusal(f"expected {what} in base64: {error}") from error
    if base64.b64encode(raw).decode() != text:
        raise refusal(f"expected {what} in canonical base64, received {text!r}")
    return raw

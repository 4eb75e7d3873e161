"""Public keys of 32 bytes, and their canonical base64."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import ClassVar, Self

KEY_BYTES = 32


@dataclass(frozen=True)
class PublicKey:
    """The public half of a key pair; each subclass is for one use.

    Attributes
    ----------
    raw : bytes
        The key, 32 bytes.
    refusal : type
        The exception to raise for a malformed key.
    """

    raw: bytes
    refusal: ClassVar[type[ValueError]] = ValueError

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_BYTES:
            raise self.refusal(
                f"expected a public key of {KEY_BYTES} bytes, received {len(self.raw)}"
            )

    @classmethod
    def from_text(cls, text: object) -> Self:
        """Decode a public key from base64.

        Parameters
        ----------
        text : str
            Canonical base64 of 32 bytes.

        Returns
        -------
        PublicKey
            An instance of this class.

        Raises
        ------
        refusal
            If the text is not the canonical base64 of 32 bytes.
        """
        return cls(from_base64(text, "a public key", cls.refusal))

    @property
    def text(self) -> str:
        """The key in base64."""
        return base64.b64encode(self.raw).decode()


def from_base64(text: object, what: str, refusal: type[ValueError]) -> bytes:
    """Decode canonical base64 (RFC 4648), in which bytes have exactly one text.

    Parameters
    ----------
    text : object
    what : str
        What the text is, for error messages, such as "a public key".
    refusal : type
        The exception to raise for a wrong text.

    Returns
    -------
    bytes

    Raises
    ------
    refusal
        If `text` is not a str of canonical base64.
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

"""Seal messages from one account to another.

Only sender and recipient can open a box (NaCl's X25519, XSalsa20 and Poly1305).
"""

from __future__ import annotations

import base64
import hashlib
import re

import nacl.exceptions
import nacl.public

from wassay.errors import WassayError
from wassay.public_key import KEY_BYTES, PublicKey, from_base64

_FINGERPRINT_LABEL = b"wassay fingerprint 1\0"
_FINGERPRINT_BYTES = 16


class SealingError(WassayError, ValueError):
    """A key, a box or a profile cannot be trusted; the message says what to do."""


class AccountKey(PublicKey):
    """An account's X25519 public key, which seals boxes to the account and opens boxes from it."""

    refusal = SealingError

    @property
    def fingerprint(self) -> str:
        """128 bits of a SHA-256 of the key, in blocks of hexadecimal digits."""
        digest = hashlib.sha256(_FINGERPRINT_LABEL + self.raw).hexdigest()
        digits = digest[: 2 * _FINGERPRINT_BYTES]
        return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


class KeyPair:
    """An account's X25519 key pair; `repr` shows only the public half.

    Parameters
    ----------
    secret : bytes
        The private half, 32 bytes.

    Attributes
    ----------
    public : AccountKey
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise SealingError(
                f"expected a private key of {KEY_BYTES} bytes, received {len(secret)}"
            )
        self._private = nacl.public.PrivateKey(secret)
        self.public = AccountKey(bytes(self._private.public_key))

    def __repr__(self) -> str:
        return f"KeyPair({self.public.fingerprint!r})"

    @classmethod
    def draw(cls) -> KeyPair:
        """Draw a new pair from the operating system's random generator."""
        return cls(bytes(nacl.public.PrivateKey.generate()))

    @property
    def secret(self) -> bytes:
        """The private half, 32 bytes."""
        return bytes(self._private)

    def seal(self, message: bytes, recipient: AccountKey) -> str:
        """Seal a message from the owner of this key pair to a recipient.

        Parameters
        ----------
        message : bytes
        recipient : AccountKey

        Returns
        -------
        str
            The box in base64.

        Raises
        ------
        SealingError
            If the recipient's key is unusable.
        """
        return base64.b64encode(self._box(recipient).encrypt(message)).decode()

    def unseal(self, box: str, sender: AccountKey) -> bytes:
        """Open a box that a sender sealed to this key pair.

        Parameters
        ----------
        box : str
            The box in base64.
        sender : AccountKey

        Returns
        -------
        bytes
            The message.

        Raises
        ------
        SealingError
            If `box` is not base64, was sealed by or to another key, or was changed. Also if the
            sender's key is unusable.
        """
        sealed = from_base64(box, "a sealed key", SealingError)
        try:
            return self._box(sender).decrypt(sealed)
        except (nacl.exceptions.CryptoError, ValueError) as error:
            raise SealingError(
                f"the box does not open: it was not sealed by {sender.fingerprint} to "
                f"{self.public.fingerprint}, or it was changed on its way"
            ) from error

    def _box(self, other: AccountKey) -> nacl.public.Box:
        try:
            # The recipient knows that the sender sealed the box, but cannot prove this to others.
            # NaCl's anonymous sealed boxes are not used: the service relays boxes, and could
            # replace anonymous ones by its own.
            return nacl.public.Box(self._private, nacl.public.PublicKey(other.raw))
        except (nacl.exceptions.CryptoError, RuntimeError) as error:
            raise SealingError(
                f"expected a public key that boxes can be sealed to, received {other.text}: its "
                "owner has to publish another"
            ) from error


def require_fingerprint(text: str) -> str:
    """Check a fingerprint, and return it in the format of `AccountKey.fingerprint`.

    Parameters
    ----------
    text : str
        32 hexadecimal digits; spaces, colons and hyphens are ignored.

    Returns
    -------
    str

    Raises
    ------
    SealingError
        If `text` does not have exactly 32 hexadecimal digits.
    """
    digits = re.sub(r"[\s:-]", "", text).lower()
    if not re.fullmatch(r"[0-9a-f]{32}", digits):
        raise SealingError(f"expected a fingerprint of 32 hexadecimal digits, received {text!r}")
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))

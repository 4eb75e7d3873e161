"""Boxes that only one account can open and only one other can have sealed.

A box is NaCl's authenticated public-key encryption (X25519, XSalsa20, Poly1305). It is not the
anonymous "sealed box" of the same library: anybody can make one of those, so whoever relays them
could seal a message of their own. Here the recipient knows that the message is the sender's.
"""

from __future__ import annotations

import base64
import hashlib
import re

import nacl.exceptions
import nacl.public

from wassay.public_key import KEY_BYTES, PublicKey, from_base64

_FINGERPRINT_LABEL = b"wassay fingerprint 1\0"
_FINGERPRINT_BYTES = 16


class SealingError(ValueError):
    """A key, a box or a profile that cannot be relied on; the message says what to do."""


class AccountKey(PublicKey):
    """An account's X25519 public key: what boxes are sealed to, and known by."""

    refusal = SealingError

    @property
    def fingerprint(self) -> str:
        """What people compare: 128 bits of SHA-256 in eight groups of four hexadecimal digits."""
        digest = hashlib.sha256(_FINGERPRINT_LABEL + self.raw).hexdigest()
        digits = digest[: 2 * _FINGERPRINT_BYTES]
        return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


class KeyPair:
    """An account's X25519 key pair; its `repr` shows the public half only."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise SealingError(f"a private key has {KEY_BYTES} bytes, received {len(secret)}")
        self._private = nacl.public.PrivateKey(secret)
        self.public = AccountKey(bytes(self._private.public_key))

    def __repr__(self) -> str:
        return f"KeyPair({self.public.fingerprint!r})"

    @classmethod
    def draw(cls) -> KeyPair:
        """Make a new pair from the operating system's secret randomness."""
        return cls(bytes(nacl.public.PrivateKey.generate()))

    @property
    def secret(self) -> bytes:
        """The private half."""
        return bytes(self._private)

    def seal(self, message: bytes, recipient: AccountKey) -> str:
        """Seal a message that only `recipient` can open, and see that it is from this pair.

        Raises
        ------
        SealingError
            When the recipient's key is none that can be used.
        """
        return base64.b64encode(self._box(recipient).encrypt(message)).decode()

    def unseal(self, box: str, sender: AccountKey) -> bytes:
        """Open a box that `sender` sealed to this pair.

        Raises
        ------
        SealingError
            When it was sealed by or to another key, or changed on its way.
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
            return nacl.public.Box(self._private, nacl.public.PublicKey(other.raw))
        except (nacl.exceptions.CryptoError, RuntimeError) as error:
            raise SealingError(
                f"{other.text} is no public key that a box can be sealed to: its owner has to "
                "publish another"
            ) from error


def require_fingerprint(text: str) -> str:
    """Return a fingerprint as `AccountKey.fingerprint` writes it, however its digits are spaced.

    Raises
    ------
    SealingError
        When it is not 32 hexadecimal digits.
    """
    digits = re.sub(r"[\s:-]", "", text).lower()
    if not re.fullmatch(r"[0-9a-f]{32}", digits):
        raise SealingError(f"a fingerprint is 32 hexadecimal digits, received {text!r}")
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))

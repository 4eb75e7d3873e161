"""Derive numbers from a secret key, identically on every machine."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from wassay.transport.errors import TransportError
from wassay.transport.measure import Measure
from wassay.transport.pushing.normal_quantile import normal_quantile
from wassay.transport.pushing.uniform_numbers import uniforms

KEY_BYTES = 32
"""Length of a key."""


def require_derivation(what: str, key: bytes, derivation: int) -> None:
    """Raise if a key has the wrong length, or the version of the derivation is unknown.

    `what` begins the message.

    Raises
    ------
    TransportError
        If the key has the wrong length, or the version is unknown.
    """
    if len(key) != KEY_BYTES:
        raise TransportError(
            f"{what}: expected a key of {KEY_BYTES} bytes, received {len(key)} bytes"
        )
    if derivation != 1:
        raise TransportError(f"{what}: expected derivation 1, received {derivation}")


def require_dimension(what: str, dimension: int, measure: Measure) -> None:
    """Raise if a measure has another dimension than `dimension`.

    `what` names the map that takes this dimension, for the message.

    Raises
    ------
    TransportError
        If the dimensions differ.
    """
    if measure.dimension != dimension:
        raise TransportError(
            f"expected points of dimension {dimension}, as {what} takes, received dimension "
            f"{measure.dimension}"
        )


def words(label: str, key: bytes, count: int) -> NDArray[np.uint64]:
    """Return `count` 64-bit words from SHAKE-256 of a label, a zero byte and the key."""
    stream = hashlib.shake_256(label.encode("ascii") + b"\0" + key).digest(8 * count)
    # Every machine reads the words in little-endian order.
    return np.frombuffer(stream, dtype="<u8").astype(np.uint64)


def normals(label: str, key: bytes, count: int) -> NDArray[np.float64]:
    """Return `count` standard normal numbers, derived from the words of a label and a key."""
    return normal_quantile(uniforms(words(label, key, count)))

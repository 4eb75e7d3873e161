"""Number classes by codes of their names, so that parties agree and the service reads no name."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.shared.reference import SharedReference
from wassay.models import Mode
from wassay.modes import MODES
from wassay.transport import Measure
from wassay.transport.data.labels import class_indices

PURPOSE = b"wassay class 1"


def class_code(name: str, key: bytes) -> float:
    """Return the code of a class: a whole number below 2⁵², from the key and the name.

    These are the first 52 bits of SHAKE-256 (FIPS 202) of the ASCII text ``wassay class 1``, a zero
    byte, the key, and the name in UTF-8, read as a little-endian word without its lowest 12 bits.
    Whoever lacks the key sees only which codes are equal.

    Parameters
    ----------
    name : str
        Without surrounding spaces, in Unicode's normal form C.
    key : bytes
        Empty with an open reference: then anybody can compute the codes of names that they guess.
    """
    stream = hashlib.shake_256(PURPOSE + b"\0" + key + name.encode()).digest(8)
    return float(int.from_bytes(stream, "little") >> 12)


def class_codes(labels: ArrayLike, shared: SharedReference) -> NDArray[np.float64]:
    """Return the code of each label's class.

    Labels are compared as text: 1, 1.0 and "1" are one class.

    Parameters
    ----------
    labels : array_like, shape (n,)
    shared : SharedReference
        Its holders compute the same codes.

    Raises
    ------
    TransportError
        If a label is missing, or labels do not sort.
    """
    names, index = class_indices(labels)
    codes = np.array([class_code(_text(name), shared.class_key) for name in names])
    return codes[index]


def scored_codes(
    labels: ArrayLike | None, mode: Mode, shared: SharedReference
) -> NDArray[np.float64] | None:
    """Return the codes of a seller's labels if a mode scores them, otherwise None."""
    if labels is None or not MODES[mode].scores_labels:
        return None
    return class_codes(labels, shared)


def with_codes(pushed: Measure, codes: NDArray[np.float64]) -> Measure:
    """Append the codes as the last coordinate of pushed points."""
    return Measure(np.column_stack([pushed.points, codes]), pushed.weights)


def _text(name: Any) -> str:
    if isinstance(name, bytes):
        name = name.decode()
    if isinstance(name, float | np.floating) and float(name).is_integer():
        name = int(name)
    return unicodedata.normalize("NFC", str(name).strip())

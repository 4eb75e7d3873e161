"""Replace names of classes by codes that all parties compute alike and the service cannot read."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.shared.shared_reference import SharedReference
from wassay.models import Mode
from wassay.modes import MODES
from wassay.recipes.classes import class_name
from wassay.transport import Measure
from wassay.transport.data.labels import class_indices

PURPOSE = b"wassay class 1"


def class_code(name: str, key: bytes) -> float:
    """Compute the code of a class, a whole number below 2⁵², from the class's name and a key.

    Whoever lacks the key can only tell which codes are equal.

    Parameters
    ----------
    name : str
        The name without surrounding spaces, in Unicode's normal form C.
    key : bytes
        The secret that the parties share. It is empty if the reference is open: then anyone can
        compute codes from guessed names.
    """
    # Take the first 8 bytes of SHAKE-256 (FIPS 202) as a little-endian number without the lowest 12
    # bits.
    stream = hashlib.shake_256(PURPOSE + b"\0" + key + name.encode()).digest(8)
    return float(int.from_bytes(stream, "little") >> 12)


def class_codes(labels: ArrayLike, shared: SharedReference) -> NDArray[np.float64]:
    """Return the code of each label.

    Labels are compared as text, so 1, 1.0 and "1" are one class, and so are True and "true".

    Parameters
    ----------
    labels : array_like, shape (n,)
    shared : SharedReference
        The reference. The codes are derived from its key.

    Raises
    ------
    TransportError
        If a label is missing, or the labels cannot be sorted.
    """
    names, index = class_indices(labels)
    codes = np.array([class_code(class_name(name), shared.class_key) for name in names])
    return codes[index]


def scored_codes(
    labels: ArrayLike | None, mode: Mode, shared: SharedReference
) -> NDArray[np.float64] | None:
    """Return the codes of a seller's labels; None without labels or if `mode` scores none."""
    if labels is None or not MODES[mode].scores_labels:
        return None
    return class_codes(labels, shared)


def with_codes(pushed: Measure, codes: NDArray[np.float64]) -> Measure:
    """Append the code of each point's class as the last coordinate of the pushed points."""
    return Measure(np.column_stack([pushed.points, codes]), pushed.weights)

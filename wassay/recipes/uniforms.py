"""Draw the random numbers of jitter, the same from the same seed on every machine."""

from __future__ import annotations

import hashlib
import secrets

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.normal_quantile import normal_quantile


class Uniforms:
    """Random numbers: a stream for each field, so that the order of columns does not matter.

    Numbers are scaled here from the raw integers of Philox, because numpy guarantees the stream of
    a bit generator across versions, but not those of its distributions.

    Parameters
    ----------
    seed : int or None
        None to draw one; the numbers can then not be drawn again.
    """

    def __init__(self, seed: int | None) -> None:
        self._seed = secrets.randbits(128) if seed is None else int(seed)

    def field(self, name: str) -> Stream:
        """Return the stream of a field."""
        digest = hashlib.sha256(f"{self._seed}\0{name}".encode(errors="surrogatepass")).digest()
        return Stream(int.from_bytes(digest[:16], "little"))


class Stream:
    """The random numbers of one field; every call draws new ones."""

    def __init__(self, key: int) -> None:
        self._bits = np.random.Philox(key=key)

    def uniform(self, size: int) -> NDArray[np.float64]:
        """Draw numbers strictly between 0 and 1."""
        raw = self._bits.random_raw(size) >> np.uint64(12)
        return (raw.astype(np.float64) + 0.5) * 2.0**-52

    def normal(self, rows: int, columns: int) -> NDArray[np.float64]:
        """Draw standard normal numbers."""
        return normal_quantile(self.uniform(rows * columns)).reshape(rows, columns)

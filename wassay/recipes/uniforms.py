"""Draw the random numbers of jitter; a seed gives the same numbers on every machine.

Each number is a hash of the seed, the field's name, the row's identifier, and the number of earlier
draws for the field.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]


class Uniforms:
    """Random numbers for rows, with a stream for each field.

    Parameters
    ----------
    seed : int, str or None
        None draws a random seed.
    rows : ndarray of uint64, shape (n,)
        Identifier of each row; rows with equal identifiers get equal numbers.
    """

    def __init__(self, seed: int | str | None, rows: Words) -> None:
        self._seed = secrets.randbits(128) if seed is None else seed
        self._rows = rows

    @classmethod
    def by_position(cls, seed: int | None, count: int) -> Uniforms:
        """Return random numbers for `count` rows, identified by their positions."""
        return cls(seed, np.arange(count, dtype=np.uint64))

    def key(self) -> str:
        """Return the key of a recipe's jitter, derived from the seed: 64 hexadecimal digits."""
        return hashlib.sha256(f"{self._seed}".encode()).hexdigest()

    def field(self, name: str) -> Stream:
        """Return the stream of the named field, from its start."""
        key = hashlib.sha256(f"{self._seed}\0{name}".encode(errors="surrogatepass")).digest()
        return Stream(key, self._rows)


class Stream:
    """The random numbers of one field; every draw gives a new number for each row."""

    def __init__(self, key: bytes, rows: Words) -> None:
        self._key = key
        self._rows = rows
        self._calls = 0

    def __len__(self) -> int:
        return len(self._rows)

    def of(self, rows: NDArray[np.bool_]) -> Stream:
        """Return a new stream for the marked rows, with other numbers than this stream."""
        return Stream(self._next_key(), self._rows[rows])

    def uniform(self) -> NDArray[np.float64]:
        """Draw numbers strictly between 0 and 1, shape (n,)."""
        first, second = np.frombuffer(self._next_key()[:16], dtype="<u8")
        raw = mixed(mixed(self._rows ^ first) + second) >> np.uint64(12)
        return (raw.astype(np.float64) + 0.5) * 2.0**-52

    def uniforms(self, columns: int) -> NDArray[np.float64]:
        """Draw numbers strictly between 0 and 1, shape (n, columns)."""
        drawn = np.empty((len(self), columns))
        for column in range(columns):
            drawn[:, column] = self.uniform()
        return drawn

    def _next_key(self) -> bytes:
        self._calls += 1
        return hashlib.sha256(self._key + self._calls.to_bytes(8, "little")).digest()


def mixed(words: Words) -> Words:
    """Hash each 64-bit word by the finalizer of SplitMix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))

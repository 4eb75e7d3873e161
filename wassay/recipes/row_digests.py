"""Hash each row of a table, so that equal rows can get equal jitter."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wassay.recipes.columns import Column
from wassay.recipes.document import FieldSpec
from wassay.recipes.uniforms import mixed

Words = NDArray[np.uint64]

RARELY = 0.01
"""Rows rarely repeat if at most this share of them equal an earlier row."""

_MISSING = np.uint64(2**64 - 1)
_BITS = 40
"""Numbers that agree in this many leading bits count as equal, such as 23.45 × 1000 and 23450."""

# With 0.5, many numbers that people write would lie where rounding jumps, and rounding errors would
# separate equal ones.
_BETWEEN = 0.3183
"""The number to add before rounding down."""


def row_digests(features: Iterable[FieldSpec], columns: Mapping[str, Column]) -> Words:
    """Return a hash of each row, shape (n,); rows that are equal in all features have equal hashes.

    Except in vectors and images, numbers that differ only by rounding nearly always count as equal.

    Raises
    ------
    RecipeError
        If a column's values are not of its field's kind.
    """
    digests = np.zeros(len(next(iter(columns.values()))), dtype=np.uint64)
    for field in features:
        kind: Any = field.kind
        column = columns[field.name]
        words = np.full(len(column), _MISSING)
        words[~column.missing] = _words(kind.read(column)[~column.missing])
        digests = mixed(mixed(digests + _word(field.name)) ^ words)
    return digests


def repeats(digests: Words) -> NDArray[np.bool_]:
    """Mark the rows whose digest equals that of an earlier row."""
    again = np.ones(len(digests), dtype=np.bool_)
    again[np.unique(digests, return_index=True)[1]] = False
    return again


def repeated_share(digests: Words) -> float:
    """Return the share of rows that equal an earlier row."""
    return float(repeats(digests).sum()) / max(1, len(digests))


def _words(values: NDArray[Any]) -> Words:
    if values.dtype == object:
        words = {text: _word(text) for text in set(values.tolist())}
        return np.array([words[text] for text in values.tolist()], dtype=np.uint64)
    if values.ndim == 1:
        return _rounded(values).view(np.uint64)
    return np.array([_word(row.tobytes()) for row in values.astype("<f8")], dtype=np.uint64)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    mantissa, exponent = np.frexp(values)
    rounded = np.floor(np.ldexp(mantissa, _BITS) + _BETWEEN)
    return np.asarray(np.ldexp(rounded, exponent - _BITS) + 0.0)  # so that −0 is 0


def _word(content: str | bytes) -> np.uint64:
    encoded = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    return np.uint64(int.from_bytes(hashlib.blake2b(encoded, digest_size=8).digest(), "little"))

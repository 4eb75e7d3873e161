"""Records for tests of inversion: images of digits, and normal points."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from wassay.reference_key import NONCE_BYTES, ReferenceKey
from wassay.transport import Isometry, Measure, Normal, RandomProjection, Reference

Kind = Literal["digits", "gaussian"]


def records(kind: Kind, size: int, seed: int = 0) -> NDArray[np.float64]:
    """Return rows of the digits (64 grey values in [0, 1], several constant), or normal points."""
    rng = np.random.default_rng(seed)
    if kind == "gaussian":
        return rng.normal(loc=3, size=(size, 10))
    return rng.permutation(_digits())[:size]


def normal_reference(size: int, dimension: int, std: float = 1.0, seed: int = 7) -> Reference:
    return Reference(size, dimension, Normal(0, std), seed)


def fixed_key(
    reference: Reference, scale: float, projection: RandomProjection | None = None
) -> ReferenceKey:
    """Return a key with the same isometry in every run, because what an audit finds depends on it.

    `scale` is that of the isometry's shift.
    """
    isometry = Isometry(reference.dimension, bytes(range(32)), scale)
    return ReferenceKey(reference, isometry, bytes(NONCE_BYTES), projection)


def haar(rng: np.random.Generator, dimension: int) -> NDArray[np.float64]:
    """Draw a random rotation or reflection."""
    return np.linalg.qr(rng.normal(size=(dimension, dimension)))[0]


def shuffled(rng: np.random.Generator, measure: Measure) -> Measure:
    permutation = rng.permutation(measure.size)
    return Measure(measure.points[permutation], measure.weights[permutation])


@cache
def _digits() -> NDArray[np.float64]:
    return np.asarray(load_digits().data / 16)


def structureless(kind: str, rows: int, columns: int, seed: int) -> NDArray[np.float64]:
    """Draw a cloud of points without groups and curves."""
    random = np.random.default_rng(seed)
    normal = random.normal(size=(rows, columns))
    return {
        "normal": normal,
        "uniform": random.uniform(size=(rows, columns)),
        "skewed": random.exponential(size=(rows, columns)),
        "dependent": np.exp(0.4 * normal @ random.normal(size=(columns, columns))),
        "long tails": normal / np.sqrt(random.chisquare(3, size=(rows, 1))),
        "equal rows": np.repeat(normal, 2, axis=0),
    }[kind]

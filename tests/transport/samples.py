"""Random measures for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from wassay.transport import Measure


def gaussian(
    rng: np.random.Generator, size: int, dimension: int, mean: float = 0.0, std: float = 1.0
) -> Measure:
    """Draw normal points with equal weights."""
    return Measure(mean + std * rng.normal(size=(size, dimension)))


def random_weights(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Draw unequal positive weights with sum 1."""
    weights = rng.gamma(1.0, size=size) + 1e-3
    return np.asarray(weights / weights.sum())


def weighted(rng: np.random.Generator, size: int, dimension: int) -> Measure:
    """Draw normal points with unequal weights."""
    return Measure(rng.normal(size=(size, dimension)), random_weights(rng, size))


@st.composite
def measures(draw: st.DrawFn, dimension: int) -> Measure:
    """Draw small measures on a grid, so that ties and equal points are common."""
    size = draw(st.integers(1, 6))
    coordinate = st.integers(-4, 4).map(lambda v: v / 2)
    points = [[draw(coordinate) for _ in range(dimension)] for _ in range(size)]
    counts = np.array([draw(st.integers(1, 5)) for _ in range(size)], dtype=np.float64)
    return Measure(points, counts / counts.sum())

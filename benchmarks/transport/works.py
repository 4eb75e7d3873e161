"""Draw pairs of point clouds that are like those of real requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from benchmarks.transport.distributions import DISTRIBUTIONS, draw
from wassay.transport import Measure, Normal, Reference, project

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Work:
    """Two clouds of equally heavy points; `goal` is the target ratio to another solver's time."""

    name: str
    x: Points
    y: Points
    goal: str = "1.1 of the best"


def gaussian(size: int, dimension: int, seed: int) -> Points:
    return np.random.default_rng(seed).normal(size=(size, dimension))


def works(cifar: Path | None) -> Iterator[Work]:
    yield Work("4000 × 4000, d = 50", gaussian(4000, 50, 0), gaussian(4000, 50, 1), "1/8 of POT")
    yield Work("4000 × 5200, d = 50", gaussian(4000, 50, 0), gaussian(5200, 50, 1), "1/4 of POT")
    for dimension in (1, 2, 512):
        for columns in (2000, 2600):
            name = f"2000 × {columns}, d = {dimension}"
            yield Work(name, gaussian(2000, dimension, 0), gaussian(columns, dimension, 1))
    for name in DISTRIBUTIONS:
        yield Work(f"2500 × 3000, {name}", *draw(name, 2500, 3000), "0.12 of POT")
        # All rivals can solve equal sizes.
        yield Work(f"2000 × 2000, {name}", *draw(name, 2000, 2000))
    digits = np.random.default_rng(0).permutation(load_digits().data)
    yield Work("digits, 800 × 997", digits[:800], digits[800:])
    yield Work("digits, 898 × 898", digits[:898], digits[898:1796])
    for noise in (0.001, 0.01):
        doubled = np.repeat(gaussian(1000, 2, 0), 2, axis=0) + noise * gaussian(2000, 2, 1)
        yield Work(f"doubled, noise of {noise}, d = 2", gaussian(1000, 2, 0), doubled)
    if cifar is not None:
        pixels = images(cifar)
        yield Work("CIFAR-10, 900 × 1100, d = 3072", pixels[:900], pixels[900:])
        yield Work("CIFAR-10, 1000 × 1000, d = 3072", pixels[:1000], pixels[1000:])
    for k in (20, 2000):
        reference = Reference(k, 10, Normal(), 7).measure()
        for t in (0.3, 0.9):
            for columns in (2000, 1500):
                x, y = (
                    project(Measure(gaussian(size, 10, seed)), reference).interpolate(t).points
                    for seed, size in enumerate((2000, columns))
                )
                yield Work(f"2000 × {columns} pushed to t = {t}, k = {k}", x, y)


def images(path: Path) -> Points:
    """Pixels of CIFAR-10's images in [−1, 1], shape (n, 3072)."""
    pixels: Points = np.load(path)["X"].reshape(-1, 32 * 32 * 3) / 127.5 - 1
    return pixels

"""Compute how many records are needed until noise changes a distance less than chance does."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.lines import Lines
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, normal
from wassay.transport import (
    Measure,
    Normal,
    Reference,
    interpolate,
    laplace_bound,
    quadratic_weights,
    scale_hiding,
)

TITLE = "Distances with differential privacy, by size"
ABOUT = """
The paper calls differential privacy the gold standard and leaves it for later. Wassay's requests
with ε release squared distances with Laplace noise; here is how many records that takes. The
*floor* is the distance between 500 points of the buyer and a seller's n points of the same normal
distribution in d dimensions: no seller is nearer, and a difference far below it says nothing
(measured up to n = 3,000; it hardly falls beyond). R clips one in a hundred of the buyer's own
points at the s where they are farthest, for a γ of the default scale; three s, one seller, t0 =
0.4. For a seller at the distance *told apart from*, the 95 % interval begins at the floor, on
average.

The interval is below the floor in four dimensions with some 1,000 records at ε = 10, 10,000 at ε
= 1 and 100,000 at ε = 0.1; in sixteen, where the floor is higher, with 1,000 at ε = 1 and 10,000
at ε = 0.1. n and ε only count as their product, so that half the ε takes twice the records. With
fewer, noise decides.
"""
PICTURE = Lines("n", ("interval : floor",), "ε", {"d": "4"}, ("n", "interval : floor"))

BUYER, T0, SWEEP = 500, 0.4, (0.25, 0.5, 0.75)
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
EPSILONS = (0.1, 1.0, 10.0)
MOST_SOLVED = 3_000
INSIDE = 0.99


def run(inputs: Inputs) -> list[Row]:
    """Compare the interval due to noise with the distance of two samples of one distribution."""
    rows: list[Row] = []
    for dimension in (4,) if inputs.quick else (4, 16):
        rng = np.random.default_rng(dimension)
        needed = normal(rng, BUYER, dimension)
        radius = _radius(needed)
        floors = {
            size: direct(needed, normal(rng, size, dimension))
            for size in SIZES
            if size <= MOST_SOLVED
        }
        for size in SIZES:
            floor = floors[min(size, MOST_SOLVED)]
            for epsilon in EPSILONS:
                least = float(np.sqrt(floor**2 + _half_width(radius, size, epsilon)))
                rows.append(
                    {
                        "d": dimension,
                        "n": size,
                        "ε": f"{epsilon:g}",
                        "R": radius,
                        "floor": floor,
                        "told apart from": least,
                        "interval : floor": least / floor - 1,
                    }
                )
    return rows


def _radius(needed: Measure) -> float:
    """Return a radius that clips at most a hundredth of the buyer's own points at every s."""
    std = scale_hiding(needed)
    reference = Reference(1, needed.dimension, Normal(0.0, std), seed=0).measure()
    centre = interpolate(needed, reference, T0).mean
    swept = [interpolate(needed, reference, s).points - centre for s in SWEEP]
    return max(float(np.quantile(np.linalg.norm(each, axis=1), INSIDE)) for each in swept)


def _half_width(radius: float, size: int, epsilon: float) -> float:
    """Return the half width of the 95 % interval for W² of one seller's raw points."""
    scale = (2 * radius) ** 2 / size / (epsilon / len(SWEEP))
    return laplace_bound(scale * quadratic_weights(SWEEP, T0)) / (1 - T0) ** 2

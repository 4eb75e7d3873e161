"""How the images of points in the reference scatter as it grows, and what that hides."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.lines import Lines
from benchmarks.paper.report import Row
from benchmarks.paper.systems import normal
from wassay.transport import project
from wassay.transport.inversion import invert_push, relative_error

TITLE = "σ(πγ) against the size of the reference (Corollary 2)"
ABOUT = """
100 points of N(0, 1), γ of k points with standard deviation 4, t = 1/2; the paper states no
dimension and prints no numbers. It says that σ(πγ) falls to zero as k grows, so that the disguise
vanishes. It falls from k = m on, the faster the more dimensions there are; in ten dimensions it
stays near 2.8, because each point is sent to the mean of *its own region* of γ, and regions
differ. *Attack by the mean* is ours: the logarithm of the squared error a coordinate of x̂ = (η −
t γ̄)/(1 − t), which knows only γ's mean; the paper's also subtracts t σ(πγ). It drops below zero
in 1,000 dimensions at k = 2,000, as the paper's text says of its own, and not in 10 or 100.
*Inversion* is the relative error of the exact attack of whoever knows γ (see
[mathematics.md](mathematics.md)): rounding, at every k up to 500; beyond it was not run.
"""
PICTURE = Lines("k", ("σ(πγ)",), "d", logarithmic=("k",))


def run(inputs: Inputs) -> list[Row]:
    """Project the same points on larger and larger references."""
    rows: list[Row] = []
    for dimension in (10, 100, 1000):
        for size in (1, 10, 50) if inputs.quick else (1, 10, 50, 100, 200, 500, 1000, 2000, 4000):
            rng = np.random.default_rng(3)
            points, reference = normal(rng, 100, dimension), normal(rng, size, dimension, std=4)
            projection = project(points, reference)
            pushed = projection.interpolate(0.5)
            guess = (pushed.points - 0.5 * reference.mean) / 0.5
            error = float(np.square(guess - points.points).mean())
            # The attack takes a solve a step; beyond 500 points only where two are enough.
            attack = None
            if size <= 500:
                found = invert_push(pushed, reference, 0.5)
                attack = relative_error(found.points, points.points)
            rows.append(
                {
                    "d": dimension,
                    "k": size,
                    "σ(πγ)": float(projection.images.std(axis=0).mean()),
                    "log of attack by the mean": math.log(error) if error > 0 else -math.inf,
                    "inversion": attack,
                }
            )
    return rows

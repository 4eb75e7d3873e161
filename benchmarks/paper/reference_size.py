"""Compute how widely images of points scatter in references of several sizes, and what it hides."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.lines import Lines
from benchmarks.paper.report import ROUNDING, Row
from benchmarks.paper.systems import direct, normal, triangle
from wassay.transport import project
from wassay.transport.inversion import invert_push, relative_error

TITLE = "σ(πγ) against the size of the reference (Corollary 2)"
ABOUT = """
100 points of N(0, 1), γ of k points with standard deviation 4, t = 1/2; the paper states no
dimension and prints no numbers. It says that σ(πγ) falls to zero as k grows, so that nothing is
disguised any more. It does fall from k = m on, the faster the more dimensions there are; but in
ten dimensions it levels off near 2.8 (2.83 at k = 12,000, measured once by hand), because each
point is sent to the mean of *its own region* of γ, and regions differ. *Attack, as printed* is
the paper's x̂ = (η − t γ̄ − t σ(πγ)) / (1 − t), with σ of every coordinate, and *log of* is the
logarithm of its squared error for each coordinate, −inf where nothing but rounding is left.
Subtracting a spread from every point moves all of them by it, and doubles the error: *attack by
the mean* leaves that term out. In 1,000 dimensions its logarithm drops below zero at k = 2,000,
as the paper's text says of its own attack, which drops below zero only at k = 4,000, and barely
(−0.01); in 10 and 100 dimensions neither does. *Inversion* is the relative error of the exact
attack by a party who knows γ (see [mathematics.md](mathematics.md)): only rounding, for every k
up to 500; it was not run for larger k.

*Ŵ : W* is the estimate against 100 other points of the same law, divided by their distance, which
the paper says it becomes as k grows (Corollary 1). It does not in any of these dimensions: by eq.
5 it is 3.5 times the distance in ten dimensions from k = 500 to 4,000 (3.6 at k = 12,000, another
draw, by hand), and still 2.1 and 1.5 times at k = 4,000 in 100 and 1,000. By eq. 4 (*exact*, up
to k = 1,000) it is 1.2, 1.1 and 1.04 times, and hardly falls.
"""
PICTURE = Lines(
    "k", ("σ(πγ)", "log of attack by the mean", "log of attack, as printed"), "d", {}, ("k",), -10.0
)

LARGEST_EXACT = 1000
"""The largest k with an exact push, which gives problems with up to k + 99 points a side."""


def run(inputs: Inputs) -> list[Row]:
    """Project the same points on references of increasing size, and attack the pushed points."""
    rows: list[Row] = []
    for dimension in (10, 100, 1000):
        for size in (1, 10, 50) if inputs.quick else (1, 10, 50, 100, 200, 500, 1000, 2000, 4000):
            rng = np.random.default_rng(3)
            points, reference = normal(rng, 100, dimension), normal(rng, size, dimension, std=4)
            others = normal(np.random.default_rng(4), 100, dimension)
            truth = direct(points, others)
            projection = project(points, reference)
            pushed = projection.interpolate(0.5)
            spread = projection.images.std(axis=0)
            guess = (pushed.points - 0.5 * reference.mean) / 0.5
            attacks = {"attack by the mean": guess, "attack, as printed": guess - spread}
            errors = {
                f"log of {attack}": _logarithm(float(np.square(found - points.points).mean()))
                for attack, found in attacks.items()
            }
            estimate = direct(pushed, project(others, reference).interpolate(0.5)) / 0.5
            exact = None
            if size <= LARGEST_EXACT:
                exact = triangle(points, others, reference, barycentric=False) / truth
            # Each step of the attack solves a transport problem, so more points take too long.
            attack = None
            if size <= 500:
                found = invert_push(pushed, reference, 0.5)
                attack = relative_error(found.points, points.points)
            rows.append(
                {
                    "d": dimension,
                    "k": size,
                    "σ(πγ)": float(spread.mean()),
                    "Ŵ : W": estimate / truth,
                    "Ŵ : W, exact": exact,
                    **errors,
                    "inversion": attack,
                }
            )
    return rows


def _logarithm(error: float) -> float:
    """Return the logarithm of a mean squared error; −∞ if the errors are only rounding errors."""
    return math.log(error) if error > ROUNDING**2 else -math.inf

"""Two Gaussians with one covariance, and references of several sizes."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, normal, timed, triangle

TITLE = "Toy Gaussians"
ABOUT = """
200 points each of two normal distributions with different means and one covariance, t = 1/2, in
two dimensions (means 0 and 5). The paper shows a plot without numbers and concludes that the size
of γ hardly matters. For means this far apart that is so; with equal means (*alike*) the error is
not small.
"""


def run(inputs: Inputs) -> list[Row]:
    """Solve for every size of the reference."""
    rng = np.random.default_rng(5)
    mu, nu, alike = normal(rng, 200, 2), normal(rng, 200, 2, 5.0), normal(rng, 200, 2)
    truth, alike_truth = direct(mu, nu), direct(mu, alike)
    rows: list[Row] = []
    for size in (1, 10, 50) if inputs.quick else (1, 10, 50, 100, 200, 400, 1000, 2000):
        reference = normal(rng, size, 2, 10.0)
        value, seconds = timed(triangle, mu, nu, reference)
        rows.append(
            {
                "k": size,
                "Direct": truth,
                "Triangle": value,
                "error %": 100 * (value / truth - 1),
                "error %, alike": 100 * (triangle(mu, alike, reference) / alike_truth - 1),
                "seconds": seconds,
            }
        )
    return rows

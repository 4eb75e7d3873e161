"""Compare two Gaussians with the same covariance, over references of several sizes."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, normal, timed, triangle
from wassay.transport import Measure, interpolate

TITLE = "Toy Gaussians"
ABOUT = """
200 points each of two normal distributions with different means and one covariance, t = 1/2, in
two dimensions (means 0 and 5, γ's 10). The paper shows a plot without numbers and concludes that
the size of γ hardly matters. This is true for means this far apart. With equal means (*alike*)
the error is not small, and grows with k; by Corollary 1 two normal distributions of one
covariance have none, and by Theorem 1 the error falls as 1/k. One reference point has no error,
so the picture's lines begin at ten.
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
    _draw(inputs, mu, nu, normal(rng, 200, 2, 10.0), rows)
    return rows


def _draw(inputs: Inputs, mu: Measure, nu: Measure, reference: Measure, rows: list[Row]) -> None:
    """Plot measures pushed half-way, and errors and seconds by k, as the paper does."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    plane, lines = figure.subplots(1, 2)
    for label, measure in (
        ("μ", mu),
        ("ν", nu),
        ("γ", reference),
        ("η_μ", interpolate(mu, reference, 0.5)),
        ("η_ν", interpolate(nu, reference, 0.5)),
    ):
        plane.scatter(*measure.points.T, s=5, label=label)
    plane.set_title("pushed by t = ½ towards 200 points", fontsize=9)
    shown = [row for row in rows if row["k"] != 1]  # its errors are 0, which have no logarithm
    sizes = [row["k"] for row in shown]
    for column in ("error %", "error %, alike", "seconds"):
        lines.plot(sizes, [row[column] for row in shown], "o-", markersize=3, label=column)
    lines.set(xlabel="k", xscale="log", yscale="log")
    plane.legend(fontsize=7)
    lines.legend(fontsize=7, loc="center right")
    figure.savefig(inputs.out / "toy.png", dpi=90)

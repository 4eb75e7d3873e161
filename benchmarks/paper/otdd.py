"""Labelled blobs: OTDD, and TriangleWad on labelled vectors."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import make_blobs

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.peers import Labels
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, normal, sealed, triangle
from wassay.transport import (
    Classes,
    Isometry,
    Measure,
    labelled_cost,
    scale_hiding,
    solve,
    with_labels,
)

TITLE = "Labelled blobs (OTDD)"
ABOUT = """
500 and 600 points in three blobs of the plane, covariances by their diagonal, k = 500, t = 1/2.
The paper prints 208.23 for OTDD and 210.18 for TriangleWad, a ratio of 1.0094; it does not
describe its blobs, so only the ratio can be compared: ours are 1.0009 to 1.0099. The picture has
the blobs of seed 0. OTDD's cost is ‖x − x'‖² + W₂² of the classes as normal laws, not the paper's
eq. 12, which has the root of a sum of unsquared distances. For diagonal covariances the vectors
are exact, and Wassay's default returns OTDD itself; for full ones (*full*) vectors are an upper
bound, which for these round blobs it reaches, and the cost of OTDD is what mode `cost-block` can
send.
"""

SIZES = (500, 600)


def run(inputs: Inputs) -> list[Row]:
    """Run several draws of the blobs."""
    rows: list[Row] = []
    for seed in range(1 if inputs.quick else 5):
        rng = np.random.default_rng(seed)
        sides = []
        for size in SIZES:
            centres = rng.uniform(-100, 100, size=(3, 2))
            points, labels = make_blobs(size, centers=centres, cluster_std=5.0, random_state=seed)
            sides.append((Measure(points), labels))
        (mu, y), (nu, z) = sides
        if seed == 0:
            _draw(inputs, sides)
        row: dict[str, str | float | int | None] = {"seed": seed}
        for covariance in ("diagonal", "full"):
            vectors = with_labels(mu, y, covariance), with_labels(nu, z, covariance)
            cost = labelled_cost(
                mu, Classes.of(mu, y, covariance), nu, Classes.of(nu, z, covariance)
            )
            otdd = solve(cost, mu.weights, nu.weights).cost ** 0.5
            if covariance == "full":
                row |= {"OTDD, full": otdd, "vectors, full": direct(*vectors)}
                continue
            reference = normal(rng, min(SIZES), vectors[0].dimension)
            pushed = triangle(*vectors, reference)
            isometry = Isometry.draw(vectors[0].dimension, scale_hiding(vectors[0]))
            row |= {
                "OTDD": otdd,
                "Triangle": pushed,
                "Triangle : OTDD": pushed / otdd,
                "Triangle : OTDD, paper": 210.18 / 208.23,
                "Wassay": sealed(*vectors, isometry),
            }
        rows.append(row)
    return rows


def _draw(inputs: Inputs, sides: list[tuple[Measure, Labels]]) -> None:
    figure = Figure(figsize=(5, 3.8), layout="constrained")
    panel = figure.subplots()
    for (measure, labels), side, marker in zip(sides, ("a", "b"), ("o", "^"), strict=True):
        for label in np.unique(labels):
            points = measure.points[labels == label]
            name = f"D_{side}, class {label + 1}"
            panel.scatter(
                points[:, 0], points[:, 1], s=6, marker=marker, color=f"C{label}", label=name
            )
    panel.legend(fontsize=7)
    figure.savefig(inputs.out / "otdd.png", dpi=90)

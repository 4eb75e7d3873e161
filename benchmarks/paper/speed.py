"""Table 1's times: how much longer FedWad takes than one push and one distance."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, fedwad, normal, sealed, timed, triangle
from wassay.transport import Isometry, Measure, scale_hiding

TITLE = "Speed (Table 1)"
ABOUT = """
Seconds of one core for one clean distance of Table 1, alone on the machine, all with one exact
solver, as it was before the present network simplex; Fashion-MNIST was not timed. The paper's
ratio of FedWad to TriangleWad (k = 100) is 7 to 28. FedWad solves three problems a round and four
at the end, TriangleWad three in all, so the ratio should be near 31 where its problems are alike.
TriangleWad pushes towards fewer points than FedWad, which makes it larger for large n. Wassay's
seconds include two pushes and the isometry applied to both sides; deriving the isometry itself,
once a request, is not in them and takes the seconds of the last column.
"""

ROUNDS = 30
PAPER = {
    "CIFAR10": {100: (2.55, 0.17), 500: (34.23, 1.38), 1000: (92.46, 3.26)},
    "MNIST": {100: (1.44, 0.07), 500: (17.22, 2.44), 1000: (65.33, 9.71)},
}
"""FedWad's and TriangleWad's seconds."""


def run(inputs: Inputs) -> list[Row]:
    """Time every method over the same clean images."""
    rows: list[Row] = []
    for data, sizes in PAPER.items():
        images = inputs.images(data)
        order = np.random.default_rng(0).permutation(len(images))
        isometry = Isometry.draw(images.shape[1], scale_hiding(Measure(images[:10])))
        _, deriving = timed(isometry.apply, Measure(images[:1]))
        for size in (100,) if inputs.quick else sizes:
            mu, nu = Measure(images[order[:size]]), Measure(images[order[size : 2 * size]])
            rng = np.random.default_rng(7)
            xi, reference = normal(rng, size, mu.dimension), normal(rng, 100, mu.dimension)
            rounds = 3 if inputs.quick else ROUNDS
            _, direct_seconds = timed(direct, mu, nu)
            _, fed_seconds = timed(fedwad, mu, nu, xi, rounds)
            _, triangle_seconds = timed(triangle, mu, nu, reference)
            _, our_seconds = timed(sealed, mu, nu, isometry)
            fed_paper, triangle_paper = sizes[size]
            rows.append(
                {
                    "data": data,
                    "n": size,
                    "Direct s": direct_seconds,
                    "FedWad s": fed_seconds,
                    "Triangle s": triangle_seconds,
                    "Wassay s": our_seconds,
                    "FedWad : Triangle": fed_seconds / triangle_seconds,
                    "FedWad : Triangle, paper": fed_paper / triangle_paper,
                    "FedWad : Wassay": fed_seconds / our_seconds,
                    "deriving s": deriving,
                }
            )
    return rows

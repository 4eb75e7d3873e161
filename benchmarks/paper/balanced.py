"""Table 1: equal sizes, three image sets, clean and with noisy points."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.inputs import Inputs
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, fedwad, normal, sealed, triangle
from wassay.transport import Isometry, Measure, scale_hiding

TITLE = "Equal sizes (Table 1)"
ABOUT = """
Two disjoint random subsets of n images, scaled to [−1, 1]; D1 and D2 have Gaussian noise in 20
and 50 of their points. FedWad takes 30 rounds with a barycentric ξ of n points, TriangleWad k
reference points; both start from N(0, 1), t = 1/2. The paper does not state its noise: solving
its own numbers for σ gives 18 to 35, another value in nearly every cell, so we took 20, and the
ratios of noisy rows tell mostly this. Direct and FedWad of clean rows agree with the paper to 7
per cent, with other random subsets.

TriangleWad does not agree. For clean images the paper prints the distance of the raw data again,
at k = 100, to the last digit but for CIFAR-10 at n = 100 (27.51 against 27.46); ours is 15 to 35
% above it, about as much as FedWad. With k = 1,000 ours is 13 to 22 % above the paper's at n =
100 and within 6 % at n = 1,000. At n = 500 it is largest, about twice the distance of the raw
data and 1.6 times the paper's, which changes little with n. On CIFAR-10 at n = 100 and 500 we
tried t from 0.01 to 0.9: the printed value comes out only as t goes to 0 (26.43 against 26.39 at
t = 0.01), where k = 1,000 gives the same and not the paper's 32.88, which is what we get for k =
100. For equal sizes the claim has a counter-example ([mathematics.md](mathematics.md)). Only a γ
of no spread, such as one point, makes it true, and that is Wassay's default. Where noise
dominates, all four agree.
"""

NOISE = 20.0
ROUNDS = 30
PAPER = {
    "CIFAR10": {
        100: (
            (27.46, 32.90, 27.51, 32.88),
            (571.73, 571.99, 571.74, 572.01),
            (975.79, 975.94, 975.80, 975.88),
        ),
        500: (
            (24.73, 30.75, 24.73, 30.76),
            (216.54, 217.50, 216.54, 217.02),
            (376.65, 377.15, 376.65, 377.32),
        ),
        1000: (
            (24.16, 30.72, 24.16, 30.69),
            (141.68, 143.08, 141.68, 143.68),
            (248.32, 249.16, 248.32, 249.10),
        ),
    },
    "Fashion": {
        100: (
            (12.68, 15.59, 12.68, 15.67),
            (295.17, 295.29, 295.17, 296.38),
            (687.70, 687.76, 687.70, 688.40),
        ),
        500: (
            (10.94, 14.30, 10.94, 15.77),
            (107.62, 108.14, 107.62, 107.71),
            (269.77, 270.06, 269.78, 270.88),
        ),
        1000: (
            (10.45, 15.22, 10.45, 15.34),
            (70.51, 71.81, 70.51, 71.88),
            (178.21, 179.22, 178.21, 179.17),
        ),
    },
    "MNIST": {
        100: (
            (15.05, 18.66, 15.05, 18.40),
            (290.19, 290.37, 290.19, 290.88),
            (688.94, 688.98, 688.94, 689.69),
        ),
        500: (
            (12.99, 17.13, 12.99, 17.02),
            (114.30, 115.12, 114.30, 115.13),
            (274.37, 275.06, 274.37, 275.54),
        ),
        1000: (
            (12.57, 17.04, 12.57, 17.66),
            (75.81, 76.90, 75.81, 76.88),
            (181.39, 182.04, 181.39, 182.88),
        ),
    },
}
"""DirectWad, FedWad and TriangleWad with k = 100 and 1,000, for the clean, D1 and D2 rows."""


def run(inputs: Inputs) -> list[Row]:
    """Solve every cell of the table."""
    rows: list[Row] = []
    for data, sizes in PAPER.items():
        images = inputs.images(data)
        order = np.random.default_rng(0).permutation(len(images))
        isometry = Isometry.draw(images.shape[1], scale_hiding(Measure(images[:10])))
        for size in (100,) if inputs.quick else sizes:
            for index, noisy in enumerate((0, 20, 50)):
                mu, nu = images[order[:size]].copy(), images[order[size : 2 * size]]
                rng = np.random.default_rng(index)
                mu[:noisy] += NOISE * rng.normal(size=(noisy, mu.shape[1]))
                rows.append(_row(data, size, index, Measure(mu), Measure(nu), isometry, inputs))
    return rows


def _row(
    data: str,
    size: int,
    index: int,
    mu: Measure,
    nu: Measure,
    isometry: Isometry,
    inputs: Inputs,
) -> Row:
    paper = PAPER[data][size][index]
    rng = np.random.default_rng(7)
    truth = direct(mu, nu)
    xi = normal(rng, size, mu.dimension)
    rounds = 3 if inputs.quick else ROUNDS
    fed = fedwad(mu, nu, xi, rounds)
    small = triangle(mu, nu, normal(rng, 100, mu.dimension))
    large = triangle(mu, nu, normal(rng, 1000, mu.dimension))
    return {
        "data": data,
        "n": size,
        "μ": ("clean", "D1", "D2")[index],
        "Direct": truth,
        "Direct, paper": paper[0],
        "FedWad": fed.distance,
        "FedWad, paper": paper[1],
        "Triangle k = 100": small,
        "Triangle k = 100, paper": paper[2],
        "Triangle k = 1000": large,
        "Triangle k = 1000, paper": paper[3],
        "Wassay": sealed(mu, nu, isometry),
    }

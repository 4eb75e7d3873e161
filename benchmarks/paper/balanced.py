"""Reproduce Table 1: three image sets of equal sizes, clean and with noisy points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np

from benchmarks.paper.bars import Bars
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.report import Row
from benchmarks.paper.systems import direct, fedwad, normal, sealed, timed, triangle
from wassay.transport import Isometry, Measure, scale_hiding

TITLE = "Equal sizes (Table 1)"
ABOUT = """
Two disjoint random subsets of n images, scaled to [−1, 1]; D1 and D2 have Gaussian noise in 20
and 50 of their points. FedWad takes 30 rounds with a barycentric ξ of n points, TriangleWad k
reference points, t = 1/2. ξ⁽⁰⁾ and every γ are the first points of one cloud of N(0, 1). The head
of the paper's column is *TriangleWad (100/1000)*, which we read as k. It does not state its
noise. Since the mean square of one point's noise is σ² d, the growth of its distances implies a
σ, which the last column shows: 18 to 35, another value in nearly every row. We took 20, which
mainly determines the ratios of the noisy rows (0.57 to 1.13). Direct and FedWad of clean rows
agree with the paper to 7 per cent, with other random subsets.

*Triangle k = 1000, exact* pushes by the paper's eq. 4, which keeps every pair of a plan, up to n
+ k − 1 points. In clean rows its value divided by Direct is within 4 % of the paper's in eight of
nine; for Fashion-MNIST at n = 100 it is 11 % higher (5 to 10 % in eight other draws, by hand; the
others up to 5 % in these). The values themselves differ by up to 12 % there, and by 6 and 7 % for
n = 500 and 1,000, where Direct does too. Eq. 5, the barycentric push, does nearly as well with as
many reference points as images (*k = n*, γ = ξ⁽⁰⁾): within 6 % in eight of nine, and 13 % higher
in that one. This column is near FedWad from the same ξ⁽⁰⁾, as the paper's two columns are. Eq. 5
with k = 1,000 agrees only at n = 1,000. At n = 500 each image averages two reference points, and
the pairs of one side are not those of the other, so that the averages differ and add to the
distance. At n = 100 each averages ten, which leaves less spread to differ by; at n = 1,000 the
images of both sides are the same points.

At k = 100 TriangleWad does not agree. For clean images the paper prints the distance of the raw
data again, to the last digit except for CIFAR-10 at n = 100 (27.51 against 27.46); ours is 15 to
40 % above it (FedWad 22 to 35 %), and for Fashion-MNIST at n = 100 up to 46 % in eight other
draws, by hand. Exact and barycentric pushes are the same there, since k divides n. Other values
of t do not explain it ([TriangleWad of Table 1, by t](#trianglewad-of-table-1-by-t)); [other
readings give it or come near](#readings-that-return-the-distance-itself), none of which the paper
states. For equal sizes the claim has a counter-example ([mathematics.md](mathematics.md)).
Wassay's default is one of the readings, one reference point. Where noise dominates, all methods
agree with each other. The picture shows the clean rows.
"""

METHODS = (
    "Direct",
    "FedWad",
    "Triangle k = 100",
    "Triangle k = 1000, exact",
    "Triangle k = 1000",
    "Triangle k = n",
    "Wassay",
)
PARTS, NOISY = ("clean", "D1", "D2"), (0, 20, 50)
PICTURE = Bars(
    ("n",),
    [name for method in METHODS[1:4] for name in (method, f"{method}, paper")],
    "share of the distance of the raw data",
    panels="data",
    where={"μ": "clean"},
    shares_of="Direct",
)

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
    """Compute every cell of the table."""
    return [
        _row(inputs, data, size, part)
        for data in inputs.image_sets(PAPER)
        for size in sizes_of(inputs, PAPER[data])
        for part in range(len(NOISY))
    ]


def sizes_of(inputs: Inputs, sizes: Iterable[int]) -> Iterable[int]:
    """Return all sizes of the table, or only the smallest in a quick run."""
    return (min(sizes),) if inputs.quick else sizes


@dataclass(frozen=True)
class MethodResults:
    """Distance and seconds of every method for one pair of subsets, in the order of METHODS."""

    values: tuple[float, ...]
    seconds: tuple[float, ...]


@cache
def solved(inputs: Inputs, data: str, size: int, part: int) -> MethodResults:
    """Compute one row of the table at one size; cached for the tables of gaps and times."""
    images = source(inputs, data).images
    permutation = np.random.default_rng(0).permutation(len(images))
    points, others = images[permutation[:size]].copy(), images[permutation[size : 2 * size]]
    noisy = NOISY[part]
    noise = np.random.default_rng(part).normal(size=(noisy, points.shape[1]))
    points[:noisy] += NOISE * noise
    mu, nu = Measure(points), Measure(others)
    xi, few, many = references(mu.dimension, size, 100, 1000)
    found = (
        timed(direct, mu, nu),
        timed(lambda: fedwad(mu, nu, xi, 3 if inputs.quick else ROUNDS).distance),
        timed(triangle, mu, nu, few),
        timed(triangle, mu, nu, many, barycentric=False),
        timed(triangle, mu, nu, many),
        timed(triangle, mu, nu, xi),
        timed(sealed, mu, nu, source(inputs, data).isometry),
    )
    return MethodResults(tuple(value for value, _ in found), tuple(seconds for _, seconds in found))


def references(dimension: int, *sizes: int) -> list[Measure]:
    """Return the first points of one cloud of N(0, 1), for each size."""
    cloud = normal(np.random.default_rng(7), max(sizes), dimension).points
    return [Measure(cloud[:size]) for size in sizes]


@dataclass(frozen=True, eq=False)
class Source:
    """Images of a data set, an isometry of their space, and the seconds of deriving it."""

    images: Points
    isometry: Isometry
    deriving: float


@cache
def source(inputs: Inputs, data: str) -> Source:
    """Read a data set, and derive an isometry for it."""
    images = inputs.images(data)
    isometry = Isometry.draw(images.shape[1], scale_hiding(Measure(images[:10])))
    _, seconds = timed(isometry.apply, Measure(images[:1]))
    return Source(images, isometry, seconds)


def _row(inputs: Inputs, data: str, size: int, part: int) -> Row:
    found, printed = solved(inputs, data, size, part), PAPER[data][size][part]
    row: dict[str, str | float | int | None] = {"data": data, "n": size, "μ": PARTS[part]}
    for method, value, theirs in zip(METHODS, found.values, printed, strict=False):
        row |= {method: value, f"{method}, paper": theirs}
    dimension = source(inputs, data).images.shape[1]
    why = _why(data, size, part, dimension)
    return row | {
        **dict(zip(METHODS[4:], found.values[4:], strict=True)),
        "where they differ": why,
    }


def _why(data: str, size: int, part: int, dimension: int) -> str:
    if part:
        clean, noised = PAPER[data][size][0][0], PAPER[data][size][part][0]
        implied = ((noised**2 - clean**2) * size / NOISY[part] / dimension) ** 0.5
        return f"noise: σ = {NOISE:.0f} here, {implied:.1f} by the paper's numbers"
    return "for k = 100 the paper prints Direct"

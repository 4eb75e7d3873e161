"""Plot how time grows with the number of points and with the dimension, as SVG."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.transport.rivals import network_simplex
from benchmarks.transport.timing import timed
from benchmarks.transport.works import gaussian
from wassay.transport import Measure, PointCost, cost_block, solve

SIZES = (500, 1000, 2000, 4000, 8000, 16000)
LARGEST_FOR_POT = 4000
DIMENSIONS = (2, 10, 50, 200, 1000)
SIZE_FOR_DIMENSIONS = 4000


def draw_growth(path: Path) -> None:
    """Measure, print and plot."""
    ours = {n: _ours(n, 50) for n in SIZES}
    pot = {n: _pot(n, 50) for n in SIZES if n <= LARGEST_FOR_POT}
    by_dimension = {d: _ours(SIZE_FOR_DIMENSIONS, d) for d in DIMENSIONS}
    for name, seconds in (("n, ours", ours), ("n, POT", pot), ("d, ours", by_dimension)):
        print(name, {size: round(value, 2) for size, value in seconds.items()}, flush=True)
    mpl.rcParams.update({"svg.hashsalt": "wassay", "font.size": 9})
    figure = Figure(figsize=(7.2, 2.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.loglog(list(ours), list(ours.values()), "o-", label="Wassay, certified")
    left.loglog(list(pot), list(pot.values()), "s--", label="POT's network simplex")
    left.set(xlabel="points on each side, d = 50", ylabel="seconds")
    left.legend(frameon=False)
    right.loglog(list(by_dimension), list(by_dimension.values()), "o-")
    right.set(xlabel=f"dimension, {SIZE_FOR_DIMENSIONS} points on each side", ylim=left.get_ylim())
    figure.savefig(path, metadata={"Date": None})


def _ours(n: int, d: int) -> float:
    mu, nu = Measure(gaussian(n, d, 0)), Measure(gaussian(n, d, 1))
    return timed(lambda: solve(PointCost(mu, nu), mu.weights, nu.weights))[0]


def _pot(n: int, d: int) -> float:
    costs = cost_block(gaussian(n, d, 0), gaussian(n, d, 1))
    return timed(lambda: network_simplex(costs), runs=1)[0]

"""Measure the error of blurred distances against the error of reconstructions.

`python -m benchmarks.trust [picture.svg]` prints and plots both for several references and pushes.
"""

# The attackers try to reconstruct the buyer's records, digits; the estimator is the paper's.

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from wassay.transport import Measure, Normal, Reference, project, wasserstein
from wassay.transport.inversion import (
    invert_push,
    invert_unknown_push,
    push_from_known_records,
    redraws,
    relative_error,
)

BUYER_POINTS, SELLER_POINTS = 80, 100
SIZES = (1, 5, 20, 80)
DEVIATIONS = (0.25, 0.5, 1.0)
PUSHES = (0.2, 0.4, 0.6, 0.8)
SOLVES = 60

Points = NDArray[np.float64]


@dataclass(frozen=True)
class TradeOff:
    """The errors of the distance and of reconstructed records, for one reference and one push."""

    k: int
    deviation: float
    t: float
    distance_error: float
    reconstruction_errors: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trust")
    parser.add_argument("picture", type=Path, nargs="?")
    arguments = parser.parse_args()
    images = np.random.default_rng(5).permutation(load_digits().data / 16)
    buyer = Measure(images[:BUYER_POINTS])
    # Invert half of the seller's digits, so that the distance is not near zero.
    offered = images[BUYER_POINTS : BUYER_POINTS + SELLER_POINTS]
    offered[::2] = 1 - offered[::2]
    truth = wasserstein(buyer, Measure(offered)).value
    print(f"{'k':>3}{'σ':>6}{'t':>5}{'error of Ŵ':>12}", *(f"{name:>20}" for name in ATTACKERS))
    found = []
    for k, deviation, t in itertools.product(SIZES, DEVIATIONS, PUSHES):
        each = trade_off(buyer, Measure(offered), truth, k, deviation, t)
        errors = (f"{each.reconstruction_errors[name]:>20.1e}" for name in ATTACKERS)
        print(f"{k:>3}{deviation:>6g}{t:>5g}{each.distance_error:>12.1%}", *errors, flush=True)
        found.append(each)
    if arguments.picture is not None:
        draw(found, arguments.picture)


def trade_off(
    buyer: Measure, seller: Measure, truth: float, k: int, deviation: float, t: float
) -> TradeOff:
    reference = Reference(k, buyer.dimension, Normal(0.0, deviation), seed=11)
    gamma = reference.measure()
    pushed = project(buyer, gamma).interpolate(t)
    estimated = wasserstein(pushed, project(seller, gamma).interpolate(t)).value / (1 - t)
    errors = {
        name: relative_error(buyer.points, attack(buyer, pushed, reference, t))
        for name, attack in ATTACKERS.items()
    }
    return TradeOff(k, deviation, t, abs(estimated / truth - 1), errors)


def knowing_both(_buyer: Measure, pushed: Measure, reference: Reference, t: float) -> Points:
    return invert_push(pushed, reference.measure(), t, max_solves=5 * SOLVES).points


def knowing_the_reference(
    buyer: Measure, pushed: Measure, reference: Reference, _t: float
) -> Points:
    """Attack with an estimate of t; for a reference of one point, from one known record."""
    gamma = reference.measure()
    if reference.size == 1:
        t = push_from_known_records(pushed.points[:1], buyer.points[:1], gamma.points[0])
        return invert_push(pushed, gamma, t).points
    return invert_unknown_push(pushed, gamma, redraws(reference), max_solves=SOLVES).points


def knowing_the_push(_buyer: Measure, pushed: Measure, _reference: Reference, t: float) -> Points:
    """Attack with t and the mean of references, which is the origin."""
    return pushed.points / (1 - t)


ATTACKERS: dict[str, Callable[[Measure, Measure, Reference, float], Points]] = {
    "knows γ and t": knowing_both,
    "knows γ, not t": knowing_the_reference,
    "knows t, not γ": knowing_the_push,
}


def draw(found: list[TradeOff], path: Path) -> None:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "wassay"}
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for (name, marker), (place, k) in itertools.product(
        zip(ATTACKERS, "xv.", strict=True), enumerate(SIZES)
    ):
        chosen = [each for each in found if each.k == k]
        axes.plot(
            [each.reconstruction_errors[name] for each in chosen],
            [100 * each.distance_error for each in chosen],
            marker,
            color=f"C{place}",
            label=f"k = {k}, {name}",
            markersize=6,
        )
    axes.axvline(1.0, color="0.6", linewidth=1, linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=-0.3)
    axes.set_xlabel("relative error of the reconstructed records (1: no better than their mean)")
    axes.set_ylabel("error of the distance, %")
    axes.legend(fontsize="x-small", ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.15))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()

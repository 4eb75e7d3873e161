"""Compare our solver with others in one run: sweeps, leave-one-out coalitions, large sizes.

python -m benchmarks.transport [--sellers | --pair-lists | --distributions | --few-points |
                                --scores]
                               [--cifar images.npz] [--large] [--interval] [--growth FILE.svg]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.transport.beyond_memory import beyond_memory
from benchmarks.transport.distributions import beside_gaussian, beside_pot
from benchmarks.transport.few_points import race_few_points
from benchmarks.transport.growth import draw_growth
from benchmarks.transport.pair_lists import race_pair_lists
from benchmarks.transport.plan_scores import scores_beside_solves
from benchmarks.transport.races import against_others
from benchmarks.transport.sellers import sellers_of_one_request
from benchmarks.transport.works import images
from wassay.transport import Measure, wasserstein

CIFAR_ROW = {100: (26.75, 27.46), 500: (24.85, 24.73), 1000: (24.21, 24.16)}
"""Exact W2 of two disjoint random subsets: measured over seeds, and as printed in the paper."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transport")
    parser.add_argument("--cifar", type=Path, help="npz with X (n, 32, 32, 3) uint8")
    parser.add_argument("--large", action="store_true", help="20,000 to 100,000 points (minutes)")
    parser.add_argument("--interval", action="store_true", help="200,000 points (minutes)")
    parser.add_argument("--growth", type=Path, help="draw time against n and d into this file")
    parser.add_argument("--sellers", action="store_true", help="only the sellers of one request")
    parser.add_argument("--pair-lists", action="store_true", help="only the sparse simplexes")
    parser.add_argument("--distributions", action="store_true", help="only these, beside Gaussian")
    parser.add_argument("--few-points", action="store_true", help="only a few points against many")
    parser.add_argument("--scores", action="store_true", help="only scores beside their solves")
    arguments = parser.parse_args()
    if arguments.sellers:
        sellers_of_one_request()
        return
    if arguments.pair_lists:
        race_pair_lists()
        return
    if arguments.distributions:
        beside_gaussian(10_000, 13_000)
        beside_pot(2500, 3000)
        return
    if arguments.few_points:
        race_few_points()
        return
    if arguments.scores:
        scores_beside_solves()
        return
    against_others(arguments.cifar)
    race_few_points()
    beside_gaussian(10_000, 13_000)
    sellers_of_one_request()
    scores_beside_solves()
    if arguments.cifar:
        cifar(arguments.cifar)
    if arguments.growth:
        draw_growth(arguments.growth)
    if arguments.large:
        beyond_memory(20_000, 26_000, tolerance=1e-7)
        beyond_memory(50_000, 65_000, tolerance=1e-6)
        beyond_memory(100_000, 100_000, tolerance=1e-6)
        beyond_memory(20_000, 26_000, tolerance=1e-7, distribution="50 clusters")
        beyond_memory(50_000, 65_000, tolerance=1e-6, distribution="50 clusters")
    if arguments.interval:
        beyond_memory(200_000, 200_000, tolerance=1e-2)


def cifar(path: Path) -> None:
    pixels = images(path)
    print("CIFAR-10, exact W2 of two disjoint random subsets")
    for size, (measured, printed) in CIFAR_ROW.items():
        values = []
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(len(pixels))
            one, other = Measure(pixels[order[:size]]), Measure(pixels[order[size : 2 * size]])
            values.append(wasserstein(one, other).value)
        print(
            f"  n = {size:<5} {np.mean(values):6.2f} ± {np.std(values):.2f}   "
            f"right {measured:.2f}   paper {printed:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

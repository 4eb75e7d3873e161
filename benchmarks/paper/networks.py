"""What clients contribute to a network that they train on images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.lines import Lines
from benchmarks.paper.models import Network
from benchmarks.paper.report import Row
from benchmarks.paper.scoring import (
    CASES,
    Clients,
    divided,
    noised,
    ranked,
    ranked_by_distance,
    with_constant,
)
from wassay.transport import Measure

TITLE = "Contributions to a network"
ABOUT = """
CIFAR-10 averaged to 8 × 8 pixels, divided among N clients, 1,000 images to train on and 1,000 to
test, and a network of one hidden layer of 64 rectified units (13,000 weights), trained by ten
rounds of federated averaging; distances are to 200 of the test images. Cases and methods are those
of the section before. DataSV, which the paper takes from Ghorbani & Zou, is their TMC-Shapley over
clients here.
"""
PICTURE = Lines(
    "N", ("seconds", "rank with the cause"), "method", {"case": "noise"}, ("N", "seconds")
)

WHOLE = ((5, 3, CASES), (10, 1, ("noise", "classes")))
"""Of how many clients, how often, which cases."""
NEEDED, TESTS, AVERAGINGS, RATE = 200, 1000, 10, 0.4


def run(inputs: Inputs) -> list[Row]:
    """Score the clients of every case by every method."""
    images, y = inputs.labelled_images("CIFAR10")
    x = images.reshape(-1, 8, 4, 8, 4, 3).mean(axis=(2, 4)).reshape(len(images), -1)
    rows: list[Row] = []
    for count, seeds, cases in ((3, 1, CASES),) if inputs.quick else WHOLE:
        for case in cases:
            draws = (_clients(x, y, case, count, seed) for seed in range(seeds))
            rows += ranked(count, case, draws)
    for count in () if inputs.quick else (50, 100):
        rows += ranked_by_distance(count, "noise", _clients(x, y, "noise", count, 0))
    return rows


def _clients(x: Points, y: NDArray[np.int64], case: str, count: int, seed: int) -> Clients:
    """Divide the images among clients."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(x))
    test, train = order[:TESTS], order[TESTS:]
    parts = divided(rng, y, train, count, case)
    offered = [noised(rng, x[part], i, count, case) for i, part in enumerate(parts)]
    federation = Federation(
        [(with_constant(o), np.eye(10)[y[part]]) for o, part in zip(offered, parts, strict=True)],
        (with_constant(x[test]), y[test]),
        Network(),
        AVERAGINGS,
        RATE,
    )
    return Clients(federation, Measure(x[test[:NEEDED]]), [Measure(points) for points in offered])

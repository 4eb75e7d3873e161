"""Value clients by what they contribute to a network that they train on images."""

from __future__ import annotations

import numpy as np

from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Inputs
from benchmarks.paper.lines import Lines
from benchmarks.paper.models import Network
from benchmarks.paper.report import Cell, Row
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
rounds of federated averaging; distances are to 200 of the test images. Cases, methods and what
seconds contain are as in the section before; means over three seeds for N = 5 and 10, one seed
for N = 50 and 100. DataSV, which the paper takes from Ghorbani & Zou, is their TMC-Shapley over
clients here. The paper's networks and sizes are not stated, and larger, so *times Wassay's*
compares what methods take with what distances take; the paper's are multiples of its TriangleWad.

With noise, distances rank clients by it without error at N = 5 and 10. Shapley values of
accuracy, exact ones too, hardly follow it (0 and 0.11), perhaps because noise in a fifth of a
client's images costs this network less than 1,000 test images can tell. All approximations are
negatively correlated with it at N = 5, MR too (−0.40); in the paper MR agrees with exact values,
and the others value the noisiest client most. Clients that lack classes are ranked by exact
values (0.9), GTG and MR (0.85 to 0.9); distances do so less (0.37 to 0.83), OR hardly (0.10 and
0.41), and TMC at N = 5 only (0.97; 0.48 at N = 10). At N = 100 a client has ten images, of which
none, one or two have noise.

FedBary takes 21 to 41 times as long as Wassay, in the paper 3.5 times as long as TriangleWad,
with an ξ of 1,000 points where ours has 100: ours solves ten rounds where Wassay solves once.
Exact values of twice the clients take 33 to 39 times as long, in the paper, which leaves training
out, six times. GTG takes 3.2 to 3.4 and 11 to 17 times as long as distances, in the paper 0.28 and
1.75 times. Shapley values of −W of a hundred clients take a minute and a half.
"""
PICTURE = Lines(
    "N", ("seconds", "rank with the cause"), "method", {"case": "noise"}, ("N", "seconds")
)

PAPER: dict[tuple[Cell, Cell], float] = {
    (5, "exactFed"): 31,
    (5, "GTG-Shapley"): 0.55,
    (5, "MR"): 5,
    (5, "TMC-Shapley"): 25,
    (5, "FedBary"): 7,
    (5, "Wassay"): 2,
    (10, "exactFed"): 200,
    (10, "GTG-Shapley"): 7,
    (10, "MR"): 40,
    (10, "TMC-Shapley"): 150,
    (10, "FedBary"): 14,
    (10, "Wassay"): 4,
    (50, "FedBary"): 70,
    (50, "Wassay"): 20,
    (100, "FedBary"): 140,
    (100, "Wassay"): 40,
}
"""Minutes of evaluation; those of TriangleWad beside Wassay."""
NEEDED, TESTS, AVERAGINGS, RATE = 200, 1000, 10, 0.4


def run(inputs: Inputs) -> list[Row]:
    """Score the clients of every case by every method."""
    rows: list[Row] = []
    for count, seeds in ((3, 1),) if inputs.quick else ((5, 3), (10, 3)):
        for case in CASES:
            rows += ranked(count, case, (drawn(inputs, case, count, seed) for seed in range(seeds)))
    for count in () if inputs.quick else (50, 100):
        rows += ranked_by_distance(count, "noise", drawn(inputs, "noise", count, 0))
    return _with_times(rows)


def _with_times(rows: list[Row]) -> list[Row]:
    """Add the paper's minutes, and our and the paper's times as multiples of Wassay's."""
    ours = {(row["N"], row["case"]): row["seconds"] for row in rows if row["method"] == "Wassay"}
    found: list[Row] = []
    for row in rows:
        minutes = PAPER.get((row["N"], row["method"]))
        theirs = PAPER.get((row["N"], "Wassay"))
        own, unit = row["seconds"], ours[row["N"], row["case"]]
        found.append(
            {
                **row,
                "minutes, paper": minutes,
                "times Wassay's": _quotient(own, unit),
                "times Wassay's, paper": _quotient(minutes, theirs),
            }
        )
    return found


def _quotient(time: Cell, unit: Cell) -> float | None:
    return float(time) / float(unit) if time is not None and unit is not None else None


def drawn(inputs: Inputs, case: str, count: int, seed: int) -> Clients:
    """Distribute the images among clients."""
    images, y = inputs.labelled_images("CIFAR10")
    x = images.reshape(-1, 8, 4, 8, 4, 3).mean(axis=(2, 4)).reshape(len(images), -1)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(x))
    test, train = order[:TESTS], order[TESTS:]
    parts = divided(rng, y, train, count, case)
    offered = [noised(rng, x[part], i, count, case) for i, part in enumerate(parts)]
    # In single precision, training takes half the time.
    federation = Federation(
        [
            (with_constant(points).astype(np.float32), np.eye(10, dtype=np.float32)[y[part]])
            for points, part in zip(offered, parts, strict=True)
        ],
        (with_constant(x[test]).astype(np.float32), y[test]),
        Network(),
        AVERAGINGS,
        RATE,
    )
    return Clients(federation, Measure(x[test[:NEEDED]]), [Measure(points) for points in offered])

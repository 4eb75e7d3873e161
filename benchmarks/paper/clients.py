"""Value clients of federated learning: digits, and a softmax regression."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Inputs
from benchmarks.paper.lines import Lines
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

TITLE = "Contributions of clients"
ABOUT = """
Scikit-learn's digits (8 × 8) divided among N clients, softmax regression by federated averaging,
600 test digits; distances are to 200 of these. *Alike*: equal clients. *Noise*: client i of 0 … N
− 1 has noise of σ = 2 in the pixels of 20 i/(N − 1) % of their points. *Classes*: client i has
only the first 2 … 10 classes. Rank correlations are with exact Shapley values of the test
accuracy of models trained anew for every coalition (exactFed), and with what was done to the
clients: means over five seeds for N = 5 and 10, one seed for N = 50 and 100. The seconds of
exactFed and TMC include the training of the coalitions' models; those of GTG include the one
training of all clients, whose updates MR and OR reuse; those of distances include everything that
they need. OR, MR, GTG and TMC are written from their papers; FedBary is FedWad's distance with a
ξ of 100 points and ten rounds; Wassay is the distance alone, and *Wassay Shapley* the Shapley
value of −W over coalitions, of all coalitions up to N = 10 and of twenty random permutations
beyond.

All methods give the same ranking of clients that lack classes. With noise, distances rank clients
by their noise without error at N = 5 and 10. Accuracy does not, because a little noise does not
harm it: the two answer different questions. Equal clients have no true ranking. In the picture
the lines of the three distances coincide. From N = 5 to 100 the time of distances grows eightfold
(0.06 to 0.47 s) and that of FedBary tenfold (1.1 to 11 s), because all clients together have the
same 1,197 digits. With 100 digits for each client it is linear, as the paper says: 0.009, 0.018,
0.091 and 0.18 s for N = 5, 10, 50 and 100 (POT, measured once, by hand). That of exactFed grows
36-fold just from 5 to 10. Shapley values of −W of a hundred clients take a minute.
"""
PICTURE = Lines(
    "N", ("seconds", "rank with the cause"), "method", {"case": "noise"}, ("N", "seconds")
)

NEEDED = 200
"""Number of test points that distances are measured to."""


def run(inputs: Inputs) -> list[Row]:
    """Score the clients of every case by every method."""
    rows: list[Row] = []
    for count, seeds in ((4, 1),) if inputs.quick else ((5, 5), (10, 5)):
        for case in CASES:
            rows += ranked(count, case, (drawn(case, count, seed) for seed in range(seeds)))
    for count in () if inputs.quick else (50, 100):
        rows += ranked_by_distance(count, "noise", drawn("noise", count, 0))
    return rows


def drawn(case: str, count: int, seed: int) -> Clients:
    """Distribute the digits among clients."""
    x, y = load_digits(return_X_y=True)
    x = x / 16
    rng = np.random.default_rng(seed)
    permutation = rng.permutation(len(x))
    test, train = permutation[:600], permutation[600:]
    parts = divided(rng, y, train, count, case)
    offered = [noised(rng, x[part], i, count, case) for i, part in enumerate(parts)]
    trained = [
        (with_constant(points), np.eye(10)[y[part]])
        for points, part in zip(offered, parts, strict=True)
    ]
    federation = Federation(trained, (with_constant(x[test]), y[test].astype(np.int64)))
    return Clients(federation, Measure(x[test[:NEEDED]]), [Measure(points) for points in offered])

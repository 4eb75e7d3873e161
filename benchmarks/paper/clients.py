"""What clients of federated learning contribute."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import spearmanr
from sklearn.datasets import load_digits

from benchmarks.paper import federated
from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.report import Row
from benchmarks.paper.systems import fedwad, normal, sealed, timed
from wassay.transport import (
    CoalitionDistances,
    Isometry,
    Measure,
    SellerCosts,
    scale_hiding,
    shapley,
)

TITLE = "Contributions of clients"
ABOUT = """
Scikit-learn's digits (8 × 8) divided among N clients, softmax regression by federated averaging,
600 test digits. *alike*: equal clients; *noise*: client i of 0 … N − 1 has pixel noise of 0.2
i/(N − 1) of their points, σ = 2; *classes*: client i has only the first 2 … 10 classes, and no
noise. Rank correlation is with exact Shapley values of the test accuracy over models trained anew
for every group (exactFed), and seconds count scoring after that training. In the case *alike*
there is nothing to rank, and correlations are chance. OR, MR, GTG and TMC are written from their
papers; FedBary is FedWad's distance with a ξ of 100 points and ten rounds; Wassay is the distance
alone, and *Wassay Shapley* that of −W over groups. The paper reports 31 min for exactFed, 33 s
for GTG, 5 min for MR, 25 min for DataSV, 7 min for FedBary and 2 min for TriangleWad at N = 5
with neural networks on CIFAR-10, and correct ranks for MR and its own.
"""

NEEDED = 200
"""Points of the test set to which distances are measured."""


def run(inputs: Inputs) -> list[Row]:
    """Score the clients of every case by every method."""
    rows: list[Row] = []
    for count in (4,) if inputs.quick else (5, 10):
        for case in ("alike", "noise", "classes"):
            federation = _federation(case, count)
            truth, seconds = timed(federated.exact, federation)
            rows.append(_row(count, case, "exactFed", 1.0, seconds))
            for method, score in METHODS.items():
                values, seconds = timed(score, federation)
                rank = float(spearmanr(values, truth).statistic) if np.ptp(values) else 0.0
                rows.append(_row(count, case, method, rank, seconds))
    for count in () if inputs.quick else (50, 100):
        federation = _federation("noise", count)
        for method in BY_DISTANCE:
            _, seconds = timed(METHODS[method], federation)
            rows.append(_row(count, "noise", method, None, seconds))
    return rows


def _row(count: int, case: str, method: str, rank: float | None, seconds: float) -> Row:
    return {
        "N": count,
        "case": case,
        "method": method,
        "rank correlation": rank,
        "seconds": seconds,
    }


def _federation(case: str, count: int, seed: int = 0) -> Federation:
    """Divide the digits among clients."""
    x, y = load_digits(return_X_y=True)
    x = np.hstack([x / 16, np.ones((len(x), 1))])
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(x))
    test, train = order[:600], order[600:]
    if case == "classes":  # the first two, the first three or four, …, all
        known = [train[y[train] < each] for each in np.linspace(2, 10, count).astype(int)]
        parts = [rng.permutation(own)[: len(train) // count] for own in known]
    else:
        parts = np.array_split(train, count)
    clients = []
    for i, part in enumerate(parts):
        points = x[part].copy()
        if case == "noise":
            noisy = int(0.2 * i / (count - 1) * len(part))
            points[:noisy, :-1] += 2 * rng.normal(size=(noisy, 64))
        clients.append((points, np.eye(10)[y[part]]))
    return Federation(clients, (x[test], y[test].astype(np.int64)))


def _measures(federation: Federation) -> tuple[Measure, list[Measure]]:
    buyer = Measure(federation.test[0][:NEEDED, :-1])
    return buyer, [Measure(points[:, :-1]) for points, _ in federation.clients]


def _fedbary(federation: Federation) -> Points:
    buyer, clients = _measures(federation)
    rng = np.random.default_rng(0)
    xi = normal(rng, 100, 64)
    return np.array([-fedwad(buyer, client, xi, 10).distance for client in clients])


def _alone(federation: Federation) -> Points:
    buyer, clients = _measures(federation)
    isometry = Isometry.draw(64, scale_hiding(buyer))
    return np.array([-sealed(buyer, client, isometry) for client in clients])


def _together(federation: Federation) -> Points:
    buyer, clients = _measures(federation)
    costs = [SellerCosts.from_measures(str(i), {0.0: c}, buyer) for i, c in enumerate(clients)]
    distances = CoalitionDistances(buyer.weights, costs, 0.0)
    found = shapley([cost.seller_id for cost in costs], lambda group: distances(group).value)
    return np.array(list(found.values.values()))


BY_DISTANCE = ("FedBary", "Wassay")
"""Those whose time grows with N alone; it is taken for many clients too."""

METHODS: dict[str, Callable[[Federation], Points]] = {
    "GTG-Shapley": federated.guided,
    "MR": federated.many_rounds,
    "OR": federated.one_round,
    "TMC-Shapley": federated.truncated,
    "FedBary": _fedbary,
    "Wassay": _alone,
    "Wassay Shapley": _together,
}

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
600 test digits; distances are to 200 of these. *Alike*: equal clients. *Noise*: client i of 0 … N
− 1 has noise of σ = 2 in the pixels of 20 i/(N − 1) % of their points. *Classes*: client i has
only the first 2 … 10 classes. Rank correlations, means over seeds, are with exact Shapley values
of the test accuracy of models trained anew for every group (exactFed), and with what was done to
the clients. Seconds count scoring after that training. OR, MR, GTG and TMC are written from their
papers; FedBary is FedWad's distance with a ξ of 100 points and ten rounds; Wassay is the distance
alone, and *Wassay Shapley* the Shapley value of −W over groups.

Clients that lack classes are ranked alike by all. With noise, distances rank clients by their
noise without error at N = 5 and 10, and accuracy, which a little noise does not harm, does not:
the two ask different questions. Between equal clients there is nothing to rank. The paper reports
for N = 5 and networks on CIFAR-10 31 min for exactFed, 33 s for GTG, 5 min for MR, 25 min for
DataSV, 7 min for FedBary and 2 min for TriangleWad; its networks, and DataSV on them, were not
run.
"""

NEEDED = 200
"""Points of the test set to which distances are measured."""


def run(inputs: Inputs) -> list[Row]:
    """Score the clients of every case by every method."""
    rows: list[Row] = []
    for count, seeds in ((4, 1),) if inputs.quick else ((5, 5), (10, 1)):
        for case in ("alike", "noise", "classes"):
            found: dict[str, list[tuple[float, float, float]]] = {}
            for seed in range(seeds):
                federation = _federation(case, count, seed)
                truth, took = timed(federated.exact, federation)
                done = _numbered(count, case)
                found.setdefault("exactFed", []).append((1.0, _rank(truth, done), took))
                for method, score in METHODS.items():
                    values, took = timed(score, federation)
                    ranks = _rank(values, truth), _rank(values, done), took
                    found.setdefault(method, []).append(ranks)
            for method, each in found.items():
                with_exact, with_done, seconds = np.mean(each, axis=0).tolist()
                cause = None if case == "alike" else with_done
                rows.append(_row(count, case, method, with_exact, cause, seconds))
    for count in () if inputs.quick else (50, 100):
        federation = _federation("noise", count, 0)
        for method in BY_DISTANCE:
            values, took = timed(METHODS[method], federation)
            cause = _rank(values, _numbered(count, "noise"))
            rows.append(_row(count, "noise", method, None, cause, took))
    return rows


def _numbered(count: int, case: str) -> Points:
    """What was done to the clients, in order: noise grows, and so does the number of classes."""
    clients = np.arange(count, dtype=np.float64)
    return -clients if case == "noise" else clients


def _rank(values: Points, others: Points) -> float:
    """Rank correlation; 0 where nothing is told apart."""
    return float(spearmanr(values, others).statistic) if np.ptp(values) else 0.0


def _row(
    count: int, case: str, method: str, exact: float | None, cause: float | None, seconds: float
) -> Row:
    return {
        "N": count,
        "case": case,
        "method": method,
        "rank with exactFed": exact,
        "rank with the cause": cause,
        "seconds": seconds,
    }


def _federation(case: str, count: int, seed: int) -> Federation:
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

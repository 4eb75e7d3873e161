"""Train one federated model for each cluster of clients that are near each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from benchmarks.paper.bars import Bars
from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Inputs, Points
from benchmarks.paper.intervals import with_interval
from benchmarks.paper.report import Row
from benchmarks.paper.scoring import with_constant
from wassay.transport import (
    Measure,
    Normal,
    Reference,
    clusters,
    dendrogram,
    interpolate,
    pairwise_distances,
)

TITLE = "Federated learning in clusters"
ABOUT = """
The paper names clustering of clients with similar distributions as a use, and shows no experiment.
Eight clients with 100 of scikit-learn's digits each; half of them have *turned* their digits by
90°, *inverted* them, or *renamed* their labels y to 9 − y. Softmax regression, twenty rounds of
federated averaging; a client's test digits are treated as its own are. Distances of all pairs are
computed from pushed points, and the dendrogram is cut into two clusters. Means over 20 draws;
*gain* is a model a cluster minus one model, with Student's interval, and *agreement* the adjusted
Rand index of the clusters with the true groups.

Where pixels differ, the clusters are the true groups in every draw: 9 points more than one model
for turned digits, and 65 for inverted ones, as much as with the groups known. Where clients are
alike, two models are 0.7 points worse than one, since each has fewer clients; the cut does not say
that there is one group. Renamed labels are invisible to distances of pixels: the clusters are
chance, and the gain of 11 points only reflects small clusters that happen to be of one group. A
model a client gains 44 there, and the true groups 49.
"""
PICTURE = Bars(("case",), ("one model", "a model a cluster", "a model a client"), "accuracy %")

CLIENTS, EACH, AVERAGINGS, SEEDS = 8, 100, 20, 20
PUSH = 0.5

Labels = NDArray[np.int64]
Domain = Callable[[Points, Labels], tuple[Points, Labels]]


def _turned(x: Points, y: Labels) -> tuple[Points, Labels]:
    return np.rot90(x.reshape(-1, 8, 8), axes=(1, 2)).reshape(len(x), -1), y


def _inverted(x: Points, y: Labels) -> tuple[Points, Labels]:
    return 1 - x, y


def _same(x: Points, y: Labels) -> tuple[Points, Labels]:
    return x, y


def _renamed(x: Points, y: Labels) -> tuple[Points, Labels]:
    return x, 9 - y


CASES: dict[str, Domain] = {
    "alike": _same,
    "turned": _turned,
    "inverted": _inverted,
    "renamed labels": _renamed,
}
"""The changes that half of the clients make to their digits."""


def run(inputs: Inputs) -> list[Row]:
    """Train a model for all clients, one for each of two clusters, and one for each client."""
    seeds = range(2 if inputs.quick else SEEDS)
    rows: list[Row] = []
    for case, domain in CASES.items():
        runs = [_drawn(domain, seed) for seed in seeds]
        means = {key: float(np.mean([each[key] for each in runs])) for key in runs[0]}
        gains = [each["a model a cluster"] - each["one model"] for each in runs]
        rows.append({"case": case, **means, **with_interval("gain", gains)})
    return rows


def _drawn(domain: Domain, seed: int) -> dict[str, float]:
    x, y = load_digits(return_X_y=True)
    x, y = x / 16, y.astype(np.int64)
    rng = np.random.default_rng(seed)
    train, test = np.split(rng.permutation(len(x)), [CLIENTS * EACH])
    other = np.arange(CLIENTS) % 2
    parts = [(x[part], y[part]) for part in np.split(train, CLIENTS)]
    clients = [
        domain(*part) if changed else part for part, changed in zip(parts, other, strict=True)
    ]
    tests = [(x[test], y[test]), domain(x[test], y[test])]
    reference = Reference(1, x.shape[1], Normal(), seed=0).measure()
    pushed = [interpolate(Measure(points), reference, PUSH) for points, _ in clients]
    found = clusters(dendrogram(pairwise_distances(pushed) / (1 - PUSH)), 2)

    def accuracy(groups: Sequence[int] | NDArray[np.intp]) -> float:
        """Return the mean accuracy over clients, of their group's model on their own test set."""
        return 100 * float(np.mean([_at_home(clients, tests, other, groups, g) for g in groups]))

    return {
        "one model": accuracy([0] * CLIENTS),
        "a model a cluster": accuracy(found),
        "a model a client": accuracy(range(CLIENTS)),
        "a model a true group": accuracy(other),
        "agreement": float(adjusted_rand_score(other, found)),
    }


def _at_home(
    clients: Sequence[tuple[Points, Labels]],
    tests: Sequence[tuple[Points, Labels]],
    other: NDArray[np.intp],
    groups: Sequence[int] | NDArray[np.intp],
    group: int,
) -> float:
    """Return the mean accuracy of one group's model over the test sets of the group's members."""
    members = [client for client, its in enumerate(groups) if its == group]
    trained = [(with_constant(x), np.eye(10)[y]) for x, y in (clients[each] for each in members)]
    accuracies = []
    for home in {int(other[each]) for each in members}:
        points, truth = tests[home]
        federation = Federation(trained, (with_constant(points), truth), averagings=AVERAGINGS)
        share = np.mean([other[each] == home for each in members])
        accuracies.append(float(share) * federation.trained(range(len(members))))
    return sum(accuracies)

"""Score the clients of a federation by every method, and compare the rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from benchmarks.paper import federated
from benchmarks.paper.federated import Federation
from benchmarks.paper.inputs import Points
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

XI_POINTS, FEDWAD_ROUNDS, PERMUTATIONS = 100, 10, 20

CASES = ("alike", "noise", "classes")


@dataclass(frozen=True, eq=False)
class Clients:
    """Clients who train a model and are compared with a target measure.

    Attributes
    ----------
    federation : Federation
    needed : Measure
        Some of the test points.
    offered : list of Measure
        The points of every client.
    """

    federation: Federation
    needed: Measure
    offered: list[Measure]


def divided(
    rng: np.random.Generator, y: NDArray[np.int64], train: NDArray[np.intp], count: int, case: str
) -> list[NDArray[np.intp]]:
    """Distribute training points among clients, at random or by classes."""
    if case != "classes":
        return np.array_split(train, count)
    # The first client has the first two classes, later ones have more, and the last has all.
    known = [train[y[train] < each] for each in np.linspace(2, 10, count).astype(int)]
    return [rng.permutation(own)[: len(train) // count] for own in known]


def noised(rng: np.random.Generator, points: Points, client: int, count: int, case: str) -> Points:
    """Return a client's points, with noise in 20 i/(N − 1) % of them if the case is noisy."""
    noisy = int(0.2 * client / (count - 1) * len(points)) if case == "noise" else 0
    changed = points.copy()
    changed[:noisy] += 2 * rng.normal(size=(noisy, points.shape[1]))
    return changed


def with_constant(points: Points) -> Points:
    """Append a coordinate of one to the points, for a model's intercepts."""
    return np.hstack([points, np.ones((len(points), 1))])


def scored(clients: Clients) -> dict[str, tuple[Points, float]]:
    """Score every client by every method, and measure the seconds."""
    return {
        "exactFed": timed(federated.exact, clients.federation),
        **{method: timed(score, clients) for method, score in METHODS.items()},
    }


def ranked(count: int, case: str, draws: Iterable[Clients]) -> list[Row]:
    """Compare every method with exact Shapley values, averaged over draws of clients."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    done = _numbered(count, case)
    for scores in map(scored, draws):
        truth, _ = scores["exactFed"]
        for method, (values, took) in scores.items():
            ranks = _rank(values, truth), _rank(values, done), took
            found.setdefault(method, []).append(ranks)
    rows = []
    for method, each in found.items():
        with_exact, with_done, seconds = np.mean(each, axis=0).tolist()
        cause = None if case == "alike" else with_done
        rows.append(_row(count, case, method, with_exact, cause, seconds))
    return rows


def ranked_by_distance(count: int, case: str, clients: Clients) -> list[Row]:
    """Compare the methods that train no model, for many clients."""
    rows = []
    for method in BY_DISTANCE:
        values, took = timed(METHODS[method], clients)
        rows.append(_row(count, case, method, None, _rank(values, _numbered(count, case)), took))
    return rows


def _numbered(count: int, case: str) -> Points:
    """Rank the clients by how they were treated: by less noise, or by more classes."""
    clients = np.arange(count, dtype=np.float64)
    return -clients if case == "noise" else clients


def _rank(values: Points, others: Points) -> float:
    """Return the rank correlation; 0 if all values on a side are equal."""
    unique_labels = np.ptp(values) and np.ptp(others)
    return float(spearmanr(values, others).statistic) if unique_labels else 0.0


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


def _fedbary(clients: Clients) -> Points:
    xi = normal(np.random.default_rng(0), XI_POINTS, clients.needed.dimension)
    found = [fedwad(clients.needed, each, xi, FEDWAD_ROUNDS).distance for each in clients.offered]
    return -np.array(found)


def _alone(clients: Clients) -> Points:
    isometry = Isometry.draw(clients.needed.dimension, scale_hiding(clients.needed))
    return -np.array([sealed(clients.needed, each, isometry) for each in clients.offered])


def _shapley_of_distances(clients: Clients) -> Points:
    """Compute Shapley values of distances: exact for few clients, else from permutations."""
    costs = [
        SellerCosts.from_measures(str(client), {0.0: points}, clients.needed)
        for client, points in enumerate(clients.offered)
    ]
    distances = CoalitionDistances(clients.needed.weights, costs, 0.0)
    ids = [cost.contribution_id for cost in costs]
    found = shapley(ids, distances, max_permutations=PERMUTATIONS)
    return np.array(list(found.values.values()))


BY_DISTANCE = ("FedBary", "Wassay", "Wassay Shapley")

METHODS: dict[str, Callable[[Clients], Points]] = {
    "GTG-Shapley": lambda clients: federated.guided(clients.federation),
    "MR": lambda clients: federated.many_rounds(clients.federation),
    "OR": lambda clients: federated.one_round(clients.federation),
    "TMC-Shapley": lambda clients: federated.truncated(clients.federation),
    "FedBary": _fedbary,
    "Wassay": _alone,
    "Wassay Shapley": _shapley_of_distances,
}

"""Compare clients of federated learning without access to their data, and without a service."""

import numpy as np

from wassay import Measure, Normal, Reference, plot_dendrogram
from wassay.transport import (
    CoalitionDistances,
    Isometry,
    SellerCosts,
    clusters,
    dendrogram,
    in_distribution,
    pairwise_distances,
    project,
    scores,
    shapley,
    solve,
)

random = np.random.default_rng(3)
DIMENSION, PUSH = 8, 0.5
centres = random.normal(scale=2.0, size=(3, DIMENSION))
kinds = {"Ada": 0, "Bo": 0, "Cy": 1, "Di": 1, "Ed": 1, "Flo": 2}
clients = {
    name: centres[kind] + random.normal(size=(60, DIMENSION)) for name, kind in kinds.items()
}
clients["Di"][:5] += 8.0  # points that belong nowhere
needed = centres[1] + random.normal(size=(80, DIMENSION))  # what the model is validated on

# Everybody who knows the key pushes their points towards one reference point, and rotates them.
reference = Reference(size=1, dimension=DIMENSION, distribution=Normal(), seed=2**100 + 7).measure()
key = Isometry.draw(DIMENSION, scale=16.0)


def sent(points: np.ndarray) -> Measure:
    """Return what a client sends: Q((1 − PUSH) x + PUSH γ) + v."""
    return key.apply(project(Measure(points), reference).interpolate(PUSH))


measures = {name: sent(points) for name, points in clients.items()}
wanted = sent(needed)

# Whoever is given these, and no key, finds the distances of the raw data: who is like whom?
joins = dendrogram(pairwise_distances(list(measures.values())) / (1 - PUSH))
print("groups:", dict(zip(clients, clusters(joins, 3).tolist(), strict=True)))
plot_dendrogram(joins, list(clients), "clients.png")

# What does each add to the others, for what is needed?
costs = [SellerCosts.from_measures(name, {PUSH: each}, wanted) for name, each in measures.items()]
distance = CoalitionDistances(wanted.weights, costs, PUSH)
values = shapley(list(clients), distance).relative_scores
print("worth:", {name: round(value, 2) for name, value in values.items()})

# Which points of Di are out of distribution?
cost = costs[3].costs[PUSH]
own, _ = scores(cost, solve(cost, measures["Di"].weights, wanted.weights))
print("drop of Di:", np.flatnonzero(~in_distribution(own.values)).tolist())

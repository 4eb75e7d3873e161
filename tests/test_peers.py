"""The scores of others that ours are compared with are what their papers define."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

from benchmarks.paper import federated, peers
from benchmarks.paper.federated import Federation
from benchmarks.paper.models import Model, Network, Softmax

CLASSES = 3


def classified(
    rng: np.random.Generator, size: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    labels = rng.integers(CLASSES, size=size)
    return rng.normal(size=(size, 2)) + 2.0 * labels[:, None], labels


def neighbours_worth(
    x: NDArray[np.float64],
    y: NDArray[np.int64],
    test: NDArray[np.float64],
    truth: NDArray[np.int64],
    group: Sequence[int],
) -> float:
    """Mean share of the k nearest of a group that have the right class, out of k."""
    if not group:
        return 0.0
    own = np.array(group)
    distances = ((test[:, None] - x[own]) ** 2).sum(axis=2)
    nearest = own[np.argsort(distances, axis=1)[:, : peers.NEIGHBOURS]]
    return float((y[nearest] == truth[:, None]).sum(axis=1).mean() / peers.NEIGHBOURS)


def test_nearest_neighbour_shapley_is_the_mean_over_all_groups() -> None:
    rng = np.random.default_rng(0)
    (x, y), (test, truth) = classified(rng, 8), classified(rng, 5)
    expected = np.zeros(8)
    for point in range(8):
        others = [other for other in range(8) if other != point]
        for size in range(8):
            for group in combinations(others, size):
                gain = neighbours_worth(x, y, test, truth, (*group, point))
                gain -= neighbours_worth(x, y, test, truth, group)
                expected[point] += gain / comb(7, size) / 8
    found = peers.nearest_neighbour_shapley(x, y, test, truth)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_leaving_one_out_is_what_the_classifier_loses() -> None:
    rng = np.random.default_rng(1)
    (x, y), (test, truth) = classified(rng, 12), classified(rng, 6)
    everybody = tuple(range(12))
    whole = neighbours_worth(x, y, test, truth, everybody)
    expected = [
        whole - neighbours_worth(x, y, test, truth, tuple(set(everybody) - {point}))
        for point in everybody
    ]
    np.testing.assert_allclose(peers.leave_one_out(x, y, test, truth), expected, atol=1e-12)


def test_out_of_bag_and_influence_mark_wrong_labels() -> None:
    rng = np.random.default_rng(2)
    (x, y), (test, truth) = classified(rng, 80), classified(rng, 40)
    wrong = y.copy()
    wrong[:8] = (y[:8] + 1) % CLASSES
    for values in (peers.out_of_bag(x, wrong, trees=40), peers.influence(x, wrong, test, truth)):
        assert values[:8].mean() < np.quantile(values[8:], 0.1)


@pytest.fixture(scope="module")
def federation() -> Federation:
    rng = np.random.default_rng(3)
    clients = []
    for size in (30, 25, 20):
        x, y = classified(rng, size)
        clients.append((np.hstack([x, np.ones((size, 1))]), np.eye(CLASSES)[y]))
    test, truth = classified(rng, 60)
    return Federation(clients, (np.hstack([test, np.ones((60, 1))]), truth))


def test_shapley_values_of_clients_sum_to_what_all_of_them_gain(federation: Federation) -> None:
    gain = federation.trained((0, 1, 2)) - federation.trained(())
    assert federated.exact(federation).sum() == pytest.approx(gain)
    # Rebuilt from all updates, everybody's model is the one that was trained.
    assert federated.one_round(federation).sum() == pytest.approx(gain)
    assert federated.many_rounds(federation).sum() == pytest.approx(gain)


def test_sampled_orders_without_a_threshold_share_out_the_same_gain(federation: Federation) -> None:
    gain = federation.trained((0, 1, 2)) - federation.trained(())
    found = federated.truncated(federation, threshold=-1.0)
    assert found.sum() == pytest.approx(gain)
    np.testing.assert_allclose(found, federated.exact(federation), atol=0.15)
    guided = federated.guided(federation, threshold=-1.0)
    assert guided.sum() == pytest.approx(federated.many_rounds(federation).sum())


@pytest.mark.parametrize("model", [Softmax(), Network(5)])
def test_a_models_gradient_is_the_slope_of_its_cross_entropy(model: Model) -> None:
    rng = np.random.default_rng(6)
    x, labels = rng.normal(size=(12, 4)), rng.integers(3, size=12)
    weights = model.start(4, 3) + 0.1 * rng.normal(size=len(model.start(4, 3)))

    def loss(at: NDArray[np.float64]) -> float:
        scores = model.scores(at, x, 3)
        return float(np.mean(logsumexp(scores, axis=1) - scores[np.arange(12), labels]))

    expected = [
        (loss(weights + step) - loss(weights - step)) / 2e-6 for step in 1e-6 * np.eye(len(weights))
    ]
    found = model.gradient(weights, x, np.eye(3)[labels])
    np.testing.assert_allclose(found, expected, atol=1e-7)

"""The published scores that ours are compared with are computed as their papers define them."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

from benchmarks.paper import federated, peers
from benchmarks.paper.federated import Federation
from benchmarks.paper.models import Model, Network, Softmax
from wassay.transport import Classes, Measure, labelled_cost

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
    """Return the mean number of a group's k nearest points with the right class, divided by k."""
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


def test_out_of_bag_accuracy_is_that_of_bagged_trees() -> None:
    x, y = classified(np.random.default_rng(2), 60)
    y[:6] = (y[:6] + 1) % CLASSES
    bagged = BaggingClassifier(DecisionTreeClassifier(), 150, random_state=0).fit(x, y)
    right, seen = np.zeros(60), np.zeros(60)
    for tree, bag in zip(bagged.estimators_, bagged.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(60), bag)
        right[out] += bagged.classes_[tree.predict(x[out]).astype(int)] == y[out]
        seen[out] += 1
    found = peers.out_of_bag(x, y, trees=150)
    assert np.corrcoef(found, right / seen)[0, 1] > 0.95
    assert found[:6].mean() < np.quantile(found[6:], 0.1)


def test_influence_is_what_the_test_loss_grows_by_without_a_point() -> None:
    rng = np.random.default_rng(3)
    (x, y), (test, truth) = classified(rng, 60), classified(rng, 40)
    y[:6] = (y[:6] + 1) % CLASSES

    def loss(kept: NDArray[np.intp]) -> float:
        model = LogisticRegression(C=1.0, max_iter=2000, tol=1e-8).fit(x[kept], y[kept])
        return float(log_loss(truth, model.predict_proba(test)))

    everybody = np.arange(60)
    grown = [loss(np.delete(everybody, each)) - loss(everybody) for each in everybody]
    found = peers.influence(x, y, test, truth) / 60
    assert np.corrcoef(found, grown)[0, 1] > 0.97
    assert np.polyfit(found, grown, 1)[0] == pytest.approx(1.0, abs=0.3)  # first order


def test_lava_is_the_slope_of_otdd_as_a_point_gains_mass_from_all_others() -> None:
    rng = np.random.default_rng(4)
    (x, y), (test, truth) = classified(rng, 9), classified(rng, 7)
    offered, needed = Measure(x), Measure(test)
    cost = labelled_cost(offered, Classes.of(offered, y), needed, Classes.of(needed, truth))

    def moved(weights: NDArray[np.float64]) -> float:
        return float(ot.emd2(weights, np.full(7, 1 / 7), cost))

    step = 1e-4
    slopes = []
    for point in range(9):
        gains = np.full(9, -step / 8)
        gains[point] = step
        slopes.append((moved(1 / 9 + gains) - moved(1 / 9 - gains)) / (2 * step))
    np.testing.assert_allclose(-peers.lava(x, y, test, truth), slopes, rtol=1e-6)
    assert -peers.otdd(x, y, test, truth).mean() == pytest.approx(moved(np.full(9, 1 / 9)))


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
    # The grand coalition's model, rebuilt from all updates, is the trained one.
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

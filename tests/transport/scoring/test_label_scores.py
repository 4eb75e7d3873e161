"""Scores of labels: minus Shapley values of a nearest-neighbour classifier."""

from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from benchmarks.paper.peers import nearest_neighbour_shapley
from wassay.transport import Measure, TransportError, label_scores
from wassay.transport.scoring import label_scores as module


def utility(
    nearest_first: Sequence[int], subset: Sequence[int], right: NDArray[np.bool_], neighbours: int
) -> float:
    kept = [each for each in nearest_first if each in subset][:neighbours]
    return sum(bool(right[each]) for each in kept) / neighbours


def by_definition(
    distances: NDArray[np.float64], right: NDArray[np.bool_], neighbours: int
) -> NDArray[np.float64]:
    """Compute Shapley values by their definition, averaged over all orders of tied points."""
    size = len(distances)
    orders = [
        order
        for order in permutations(range(size))
        if all(distances[a] <= distances[b] for a, b in pairwise(order))
    ]
    values = np.zeros(size)
    for order in orders:
        for point in range(size):
            others = [each for each in range(size) if each != point]
            for count in range(size):
                for subset in combinations(others, count):
                    gain = utility(order, (*subset, point), right, neighbours)
                    gain -= utility(order, subset, right, neighbours)
                    values[point] += gain / (size * comb(size - 1, count))
    return values / len(orders)


@pytest.mark.parametrize("neighbours", [1, 2, 3, 7])
def test_scores_are_minus_shapley_values_over_all_subsets(neighbours: int) -> None:
    random = np.random.default_rng(neighbours)
    buyer, seller = random.normal(size=(4, 2)), random.normal(size=(6, 2))
    needed, offered = random.integers(2, size=4), random.integers(2, size=6)
    weights = random.dirichlet(np.ones(4))
    expected = np.zeros(6)
    for x, label, weight in zip(buyer, needed, weights, strict=True):
        distances = np.linalg.norm(seller - x, axis=1)
        expected += weight * by_definition(distances, offered == label, neighbours)
    found = label_scores(
        Measure(buyer, weights), needed, Measure(seller), offered, neighbours=neighbours
    )
    np.testing.assert_allclose(-found, expected, atol=1e-14)


@pytest.mark.parametrize("neighbours", [1, 2, 3])
def test_scores_of_tied_points_are_the_mean_over_their_orders(neighbours: int) -> None:
    places = np.array([1.0, 2.0, 2.0, 2.0, 3.0, 3.0])
    right = np.array([False, True, False, True, True, False])
    found = label_scores(
        Measure([[0.0]]), [True], Measure(places[:, None]), right, neighbours=neighbours
    )
    np.testing.assert_allclose(-found, by_definition(places, right, neighbours), atol=1e-14)


def test_scores_agree_with_the_recursion_written_from_the_paper() -> None:
    random = np.random.default_rng(0)
    x, test = random.normal(size=(80, 3)), random.normal(size=(50, 3))
    y, truth = random.integers(3, size=80), random.integers(3, size=50)
    np.testing.assert_allclose(
        -label_scores(Measure(test), truth, Measure(x), y),
        nearest_neighbour_shapley(x, y, test, truth),
        atol=1e-15,
    )


def test_scores_sum_to_minus_the_share_of_right_labels_among_nearest_neighbours() -> None:
    random = np.random.default_rng(1)
    x, test = random.normal(size=(90, 4)), random.normal(size=(40, 4))
    y, truth = random.integers(3, size=90), random.integers(3, size=40)
    nearest = NearestNeighbors(n_neighbors=5).fit(x).kneighbors(test, return_distance=False)
    found = label_scores(Measure(test), truth, Measure(x), y)
    assert -found.sum() == pytest.approx((y[nearest] == truth[:, None]).mean(), abs=1e-13)


def test_scores_follow_the_rows_and_ignore_points_without_mass() -> None:
    random = np.random.default_rng(2)
    x, test = random.integers(3, size=(30, 2)).astype(float), random.normal(size=(20, 2))
    y, truth = random.integers(2, size=30), random.integers(2, size=20)
    found = label_scores(Measure(test), truth, Measure(x), y)
    rows = random.permutation(30)
    np.testing.assert_allclose(
        label_scores(Measure(test), truth, Measure(x[rows]), y[rows]), found[rows], atol=1e-15
    )
    weights = np.append(np.full(30, 1 / 30), 0.0)
    more = Measure(np.vstack([x, test[:1]]), weights)
    np.testing.assert_allclose(
        label_scores(Measure(test), truth, more, np.append(y, 0)), np.append(found, 0), atol=1e-15
    )


def test_a_label_that_is_worth_nothing_has_a_score_without_a_sign() -> None:
    buyer, seller = Measure([[0.0]]), Measure([[1.0], [2.0], [3.0]])
    scores = label_scores(buyer, ["a"], seller, ["b", "b", "a"], neighbours=1)
    others = label_scores(buyer, ["a"], seller, ["b", "b", "b"], neighbours=1)
    assert scores.tolist() != others.tolist() == [0.0, 0.0, 0.0]
    assert not np.signbit(others).any()


def test_scores_do_not_change_under_an_isometry_in_spite_of_ties() -> None:
    random = np.random.default_rng(3)
    x, test = random.integers(4, size=(60, 3)) * 1.0, random.integers(4, size=(30, 3)) * 1.0
    y, truth = random.integers(2, size=60), random.integers(2, size=30)
    rotation, _ = np.linalg.qr(random.normal(size=(3, 3)))
    moved = [Measure(each @ rotation + 7.0) for each in (test, x)]
    np.testing.assert_allclose(
        label_scores(moved[0], truth, moved[1], y),
        label_scores(Measure(test), truth, Measure(x), y),
        atol=1e-13,
    )


def test_scores_of_many_pairs_are_those_of_a_sample_of_the_buyers_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(4)
    x, test = random.normal(size=(40, 2)), random.normal(size=(2000, 2))
    y, truth = (x[:, 0] > 0).astype(int), (test[:, 0] > 0).astype(int)
    exact = label_scores(Measure(test), truth, Measure(x), y)
    monkeypatch.setattr(module, "MOST_PAIRS", 40 * 500)
    sampled = label_scores(Measure(test), truth, Measure(x), y)
    assert 0 < np.abs(sampled - exact).max() < 0.02
    np.testing.assert_array_equal(sampled, label_scores(Measure(test), truth, Measure(x), y))


@pytest.mark.parametrize(
    ("classes", "points", "neighbours", "message"),
    [
        ([0], [[0.0], [1.0]], 5, "expected 2 classes, one for each point"),
        ([0, 1], [[0.0, 0.0], [1.0, 0.0]], 5, "dimensions 1 and 2"),
        ([0, 1], [[0.0], [1.0]], 0, "at least 1 neighbour"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    classes: list[int], points: list[list[float]], neighbours: int, message: str
) -> None:
    with pytest.raises(TransportError, match=message):
        label_scores(Measure([[0.0]]), [0], Measure(points), classes, neighbours=neighbours)

"""Distances whose proven intervals overlap are ties, whatever the order of sellers."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian
from wassay.transport import (
    CoalitionDistances,
    Estimate,
    Measure,
    Power,
    SellerCosts,
    TransportError,
    buy_greedily,
    estimate,
    evaluate,
    highest_first,
    in_distribution,
    project,
    ranks,
    relative_scores,
    scores,
    shapley,
    smallest_first,
    solve,
    wasserstein,
)
from wassay.transport.market.ties import BoundedValue

SWEEP = (0.25, 0.5, 0.75)


def known(value: float, low: float, high: float) -> BoundedValue:
    return BoundedValue(value, (low, high))


def exactly(value: float) -> BoundedValue:
    return known(value, value, value)


def coalition_distances(buyer: Measure, sellers: Mapping[str, Measure]) -> CoalitionDistances:
    costs = [
        SellerCosts.from_measures(name, {0.0: points}, buyer) for name, points in sellers.items()
    ]
    return CoalitionDistances(buyer.weights, costs, 0.0)


def estimates_of(
    buyer: Measure, sellers: Mapping[str, Measure], push: float, k: int, p: Power
) -> dict[str, Estimate]:
    rng = np.random.default_rng(k)
    reference = Measure(rng.normal(size=(k, buyer.dimension)))
    pushed = project(buyer, reference).interpolate(push)
    costs = [
        SellerCosts.from_measures(
            name, {s: project(points, reference).interpolate(s) for s in SWEEP}, pushed, p
        )
        for name, points in sellers.items()
    ]
    alone = evaluate(pushed.weights, costs, SWEEP, p=p).singleton
    return {name: estimate(curve, push) for name, curve in alone.items()}


def shuffled(rng: np.random.Generator, measure: Measure) -> Measure:
    permutation = rng.permutation(measure.size)
    return Measure(measure.points[permutation], measure.weights[permutation])


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("push", [0.25, 0.3])
@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_sellers_with_permuted_rows_have_equal_relative_scores(
    p: Power, k: int, push: float, scale: float
) -> None:
    rng = np.random.default_rng(3)
    buyer = Measure(scale * rng.normal(size=(20, 3)))
    rows = Measure(scale * rng.normal(0.5, 1, (17, 3)))
    sellers = {name: shuffled(rng, rows) for name in "abc"}
    found = estimates_of(buyer, sellers, push, k, p)
    assert relative_scores(found) == {"a": 1.0, "b": 1.0, "c": 1.0}
    assert smallest_first(found) == ["a", "b", "c"]
    farther = Measure(rows.points + 20 * scale)
    found = estimates_of(buyer, sellers | {"far": farther}, push, k, p)
    assert relative_scores(found) == {"a": 1.0, "b": 1.0, "c": 1.0, "far": 0.0}


def test_sellers_who_have_just_what_the_buyer_has_are_equally_near() -> None:
    rng = np.random.default_rng(4)
    buyer = Measure(1e3 + rng.normal(size=(20, 3)))
    found = estimates_of(buyer, {name: shuffled(rng, buyer) for name in "abc"}, 0.3, 1, 2)
    assert set(relative_scores(found).values()) == {1.0}


def test_numbers_that_are_told_apart_are_scaled_as_the_paper_does() -> None:
    assert relative_scores({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 1.0, "b": 0.0, "c": 0.5}
    assert relative_scores({"a": 2.0, "b": 2.0 + 4e-16}) == {"a": 1.0, "b": 1.0}
    assert relative_scores({"a": exactly(2.0), "b": exactly(2.0 + 4e-16)}) == {"a": 1.0, "b": 0.0}


def test_the_intervals_of_a_rank_share_a_point() -> None:
    overlapping = {
        "a": known(1.0, 0.9, 1.2),
        "b": known(1.1, 1.0, 1.3),
        "c": known(1.25, 1.15, 1.4),
    }
    assert ranks(overlapping) == {"a": 0, "b": 0, "c": 0}
    # "c" overlaps "b" but not "a". As it is proven to be farther than "a", it ranks behind both.
    chained = {"a": known(1.0, 0.9, 1.1), "b": known(1.1, 1.0, 1.3), "c": known(1.3, 1.2, 1.4)}
    assert ranks(chained) == {"a": 0, "b": 0, "c": 1}
    assert relative_scores(chained) == {"a": 1.0, "b": 1.0, "c": 0.0}


def test_within_a_rank_values_are_sorted_as_far_as_they_mean_something() -> None:
    vague = {"b": known(1.2, 0.9, 1.4), "a": known(1.0, 0.9, 1.2), "c": known(1.2, 1.0, 1.3)}
    assert smallest_first(vague) == ["a", "b", "c"]
    noise = {"b": known(2e-17, -1e-9, 1e-9), "a": known(1e-17, -1e-9, 1e-9)}
    assert smallest_first(noise) == ["b", "a"]


def test_intervals_that_touch_tie() -> None:
    touching = {"a": known(1.0, 0.9, 1.5), "b": known(2.0, 1.5, 2.1)}
    assert ranks(touching) == {"a": 0, "b": 0}


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6, -1.0])
def test_bare_numbers_tie_within_a_billionth_of_each(scale: float) -> None:
    assert set(ranks({"a": scale, "b": scale * (1 + 1.9e-9)}).values()) == {0}
    assert set(ranks({"a": scale, "b": scale * (1 + 2.1e-9)}).values()) == {0, 1}


def test_within_a_rank_values_are_told_apart_by_a_millionth_and_by_a_tenth_of_their_errors() -> (
    None
):
    def sorted_with(difference: float, error: float) -> list[str]:
        return smallest_first(
            {
                "b": known(1.0 + difference, 1.0 - error, 1.0 + error + difference),
                "a": known(1.0, 1.0 - error, 1.0 + error + difference),
            }
        )

    assert sorted_with(1.1e-6, 3e-6) == ["a", "b"]
    assert sorted_with(2e-7, 3e-7) == ["b", "a"]
    assert sorted_with(0.11, 0.89) == ["a", "b"]
    assert sorted_with(0.01, 0.9) == ["b", "a"]


def test_a_wide_interval_ties_no_other_two() -> None:
    numbers = {"vague": known(0.5, 0.0, 9.0), "near": exactly(1.0), "far": exactly(2.0)}
    assert ranks(numbers) == {"vague": 0, "near": 0, "far": 1}


@pytest.mark.parametrize("seed", range(20))
def test_ranks_ascend_with_the_values_and_do_not_depend_on_the_order_given(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, strays = rng.random(12), rng.exponential(0.05, 12)
    numbers = {
        str(place): known(value, value - stray, value + stray)
        for place, (value, stray) in enumerate(zip(values, strays, strict=True))
    }
    found = ranks(numbers)
    in_order = [found[name] for name in sorted(numbers, key=lambda name: numbers[name].value)]
    assert in_order == sorted(in_order)
    assert sorted(set(in_order)) == list(range(len(set(in_order))))
    for one in numbers:
        for other in numbers:
            if found[one] == found[other]:
                assert numbers[one].tie_interval[0] <= numbers[other].tie_interval[1]
    again = {name: numbers[name] for name in rng.permutation(list(numbers))}
    assert ranks(again) == found
    assert relative_scores(again) == relative_scores(numbers)
    assert set(relative_scores(numbers).values()) >= {1.0}


def test_only_finite_numbers_are_ranked() -> None:
    with pytest.raises(TransportError, match="finite"):
        relative_scores({"a": float("inf"), "b": 1.0})


@pytest.mark.parametrize("count", [3, 11])
def test_identical_sellers_have_equal_shapley_values(count: int) -> None:
    rng = np.random.default_rng(5)
    buyer, rows = gaussian(rng, 9, 2), gaussian(rng, 6, 2, mean=0.5)
    sellers = {f"s{place:02}": shuffled(rng, rows) for place in range(count)}
    distances = coalition_distances(buyer, sellers)
    for found in (
        shapley(list(sellers), distances, max_permutations=20),
        shapley(list(sellers), lambda coalition: distances(coalition).value, max_permutations=20),
    ):
        assert set(found.relative_scores.values()) == {1.0}
        assert found.largest_first == list(sellers)


def test_identical_sellers_have_equal_shapley_values_beside_another() -> None:
    rng = np.random.default_rng(6)
    buyer, rows = gaussian(rng, 9, 2), gaussian(rng, 6, 2, mean=0.5)
    sellers = {name: shuffled(rng, rows) for name in "abc"} | {"far": gaussian(rng, 6, 2, mean=4.0)}
    for permutation in permutations(sellers):
        found = shapley(
            permutation, coalition_distances(buyer, {name: sellers[name] for name in permutation})
        )
        assert found.relative_scores == {name: float(name != "far") for name in permutation}
        assert found.largest_first[-1] == "far"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_cheapest_of_tied_sellers_is_bought(place: int) -> None:
    rng = np.random.default_rng(7)
    buyer, rows = gaussian(rng, 12, 3), gaussian(rng, 9, 3)
    sellers = {name: shuffled(rng, rows) for name in "abc"}
    prices = {name: 1.0 if i == place else 11.0 for i, name in enumerate(sellers)}
    bought = buy_greedily(prices, 100.0, coalition_distances(buyer, sellers))
    # Buying more equal points would not reduce the distance, so only one seller is bought.
    assert [(each.contribution_id, each.spent) for each in bought] == [("abc"[place], 1.0)]


def test_a_gain_that_may_be_zero_is_not_paid_for() -> None:
    said = {
        frozenset("a"): known(2.0, 1.9, 2.1),
        frozenset("b"): exactly(3.0),
        frozenset("ab"): known(1.95, 1.85, 2.05),
    }
    assert [
        each.contribution_id for each in buy_greedily({"a": 1.0, "b": 0.0}, 9.0, said.__getitem__)
    ] == ["a"]
    said[frozenset("ab")] = known(1.8, 1.7, 1.9)
    assert len(buy_greedily({"a": 1.0, "b": 0.0}, 9.0, said.__getitem__)) == 1
    said[frozenset("ab")] = known(1.7, 1.6, 1.8)
    assert len(buy_greedily({"a": 1.0, "b": 0.0}, 9.0, said.__getitem__)) == 2


def test_a_cheaper_contribution_without_proven_gain_is_not_bought_instead() -> None:
    said = {
        frozenset("a"): known(2.0, 1.9, 2.1),
        frozenset("b"): exactly(3.0),
        frozenset("c"): exactly(3.0),
        frozenset("ab"): known(1.5, 1.4, 1.6),
        frozenset("ac"): known(1.6, 1.5, 2.0),
    }
    bought = buy_greedily({"a": 1.0, "b": 5.0, "c": 1.0}, 6.0, said.__getitem__)
    assert [each.contribution_id for each in bought] == ["a", "b"]


def test_a_free_contribution_is_bought_without_a_budget() -> None:
    said = {frozenset("a"): exactly(2.0), frozenset("b"): exactly(1.0)}
    bought = buy_greedily({"a": 0.0, "b": 0.5}, 0.0, said.__getitem__)
    assert [(each.contribution_id, each.spent) for each in bought] == [("a", 0.0)]


def test_distances_carry_the_interval_that_they_are_known_to_lie_in() -> None:
    rng = np.random.default_rng(8)
    metrics: dict[Power, str] = {1: "euclidean", 2: "sqeuclidean"}
    for p, metric in metrics.items():
        for scale in (1e-3, 1.0, 1e6):
            mu, nu = gaussian(rng, 12, 3, std=scale), gaussian(rng, 15, 3, std=scale)
            found = wasserstein(mu, nu, p)
            true = ot.emd2([], [], ot.dist(mu.points, nu.points, metric)) ** (1 / p)
            low, high = found.tie_interval
            assert low <= found.value <= high
            assert low * (1 - 1e-15) <= true <= high * (1 + 1e-15)
            assert high - low < 1e-9 * scale


def test_costs_that_prove_nothing_between_are_known_to_within_rounding() -> None:
    rng = np.random.default_rng(9)
    blocks = {s: rng.random((8, 6)) for s in SWEEP}
    permutation = rng.permutation(8)
    shuffled_blocks = {s: block[permutation] for s, block in blocks.items()}
    costs = [
        SellerCosts.from_blocks("a", blocks),
        SellerCosts.from_blocks("b", shuffled_blocks),
    ]
    alone = evaluate([1 / 6] * 6, costs, SWEEP).singleton
    found = {name: estimate(curve, 0.4) for name, curve in alone.items()}
    assert found["a"].bracket is None
    low, high = found["a"].tie_interval
    assert low <= found["a"].value <= high
    assert high - low < 1e-6
    assert relative_scores(found) == {"a": 1.0, "b": 1.0}


def test_scores_that_differ_by_rounding_are_all_in_distribution() -> None:
    values = np.full(9, 0.3)
    values[4] += 2e-16
    assert in_distribution(values).all()
    assert not in_distribution([*values, 0.4])[-1]


def test_points_with_the_same_score_but_for_rounding_keep_their_order() -> None:
    assert highest_first([0.1, 0.3, 0.3 + 5e-17, 0.3 - 5e-17, 0.3 + 1e-16]).tolist() == [
        *(1, 2, 3, 4),
        0,
    ]
    assert highest_first([1.0, 1.0 + 1e-6]).tolist() == [1, 0]
    assert highest_first([0.0, 0.0]).tolist() == [0, 1]
    assert highest_first([]).tolist() == []


@pytest.mark.parametrize("seed", range(5))
def test_copies_of_points_rank_by_their_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    offered = np.repeat(rng.normal(size=(4, 3)), 5, axis=0)
    cost = ((offered[:, None] - rng.normal(size=(7, 3))[None]) ** 2).sum(axis=2)
    found, _ = scores(cost, solve(cost, np.full(20, 0.05), np.full(7, 1 / 7)))
    places = highest_first(found.values).reshape(4, 5)
    assert (np.diff(places, axis=1) == 1).all()
    assert (places[:, 0] % 5 == 0).all()


def test_copies_of_one_point_are_in_distribution_together() -> None:
    rng = np.random.default_rng(10)
    offered = np.repeat(rng.normal(size=(1, 4)), 9, axis=0)
    cost = ((offered[:, None] - rng.normal(size=(5, 4))[None]) ** 2).sum(axis=2)
    found, _ = scores(cost, solve(cost, np.full(9, 1 / 9), np.full(5, 0.2)))
    assert in_distribution(found.values, spread=found.spread).all()


def test_a_score_is_out_of_distribution_only_wherever_it_lies() -> None:
    values = [0.0, 0.1, -0.1, 0.05, -0.05, 1.0]
    assert in_distribution(values).tolist() == [True] * 5 + [False]
    assert in_distribution(values, spread=[0.0] * 5 + [0.8]).tolist() == [True] * 5 + [False]
    assert in_distribution(values, spread=[0.0] * 5 + [1.8]).all()
    with pytest.raises(TransportError, match="spread >= 0, received -1"):
        in_distribution(values, spread=-1.0)

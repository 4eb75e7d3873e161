from itertools import permutations

import numpy as np
import pytest

from wassay.transport import TransportError, sampled_coalitions, shapley
from wassay.transport.market.shapley import MIN_PERMUTATIONS, exact_shapley, sampled_shapley


def game(rng, players):
    """Any distances of coalitions, drawn when asked for and then fixed."""
    known = {}
    return lambda coalition: known.setdefault(coalition, float(rng.random()) + len(players))


def airport(places):
    """Shapley values of −min: who is nearest alone decides (the airport game's closed form).

    In order from the farthest to the nearest, each improvement is shared by all who reach it.
    """
    far_first = sorted(places, key=places.get, reverse=True)
    values, total = {}, 0.0
    for rank, player in enumerate(far_first):
        before = places[far_first[rank - 1]] if rank else places[player]
        total += (before - places[player]) / (len(places) - rank)
        values[player] = total
    return values


def nearest(places):
    return lambda coalition: min(places[player] for player in coalition)


def test_values_are_the_mean_of_what_each_adds_over_all_orders():
    players = ("a", "b", "c", "d")
    distance = game(np.random.default_rng(0), players)
    found = shapley(players, distance)
    nobody = max(distance(frozenset(p)) for p in players)
    means = dict.fromkeys(players, 0.0)
    for order in permutations(players):
        before = nobody
        for count, player in enumerate(order, start=1):
            after = distance(frozenset(order[:count]))
            means[player] += (before - after) / 24
            before = after
    assert found.values == pytest.approx(means)
    assert sum(found.values.values()) == pytest.approx(nobody - distance(frozenset(players)))
    assert (found.permutations, found.ended_by) == (0, "every-coalition")
    assert set(found.standard_errors.values()) == {0.0}


def test_ten_sellers_are_shared_exactly():
    places = {f"s{i}": 1.0 + i**1.5 for i in range(10)}
    assert shapley(tuple(places), nearest(places)).values == pytest.approx(airport(places))


def test_sampled_values_are_right_within_their_standard_errors():
    places = {f"s{i}": 1.0 + i**1.5 for i in range(14)}
    found = shapley(tuple(places), nearest(places), standard_error=0.1, seed=3)
    expected = airport(places)
    assert found.ended_by == "standard-error"
    assert found.permutations >= MIN_PERMUTATIONS
    spread = max(found.values.values()) - min(found.values.values())
    assert max(found.standard_errors.values()) <= 0.1 * spread
    for player, value in found.values.items():
        assert abs(value - expected[player]) <= 4 * found.standard_errors[player] + 1e-12


def test_where_the_order_does_not_matter_sampling_is_exact():
    adds = {f"s{i}": float(i) for i in range(12)}
    found = shapley(
        tuple(adds), lambda coalition: 100.0 - sum(adds[player] for player in coalition)
    )
    gaps = [found.values[f"s{i}"] - found.values["s0"] for i in range(12)]
    assert gaps == pytest.approx(list(range(12)))
    assert max(found.standard_errors.values()) < 1e-12


def test_sampling_ends_at_the_limit_and_says_so():
    players = tuple(f"s{i}" for i in range(11))
    distance = game(np.random.default_rng(1), players)
    found = shapley(players, distance, standard_error=0, max_permutations=40)
    assert (found.permutations, found.ended_by) == (40, "permutations")
    assert max(found.standard_errors.values()) > 0


def test_relative_scores_run_from_nought_to_one():
    places = {"near": 1.0, "middle": 2.0, "far": 4.0}
    scores = shapley(tuple(places), nearest(places)).relative_scores
    assert (scores["near"], scores["far"]) == (1.0, 0.0)
    assert 0 < scores["middle"] < 1
    assert shapley(("a", "b"), lambda _: 3.0).relative_scores == {"a": 1.0, "b": 1.0}


def test_sellers_come_once():
    with pytest.raises(TransportError, match="distinct contribution ids"):
        shapley(("a", "a"), lambda _: 1.0)
    with pytest.raises(TransportError, match="distinct contribution ids"):
        shapley((), lambda _: 1.0)


@pytest.mark.parametrize("max_permutations", [0, -2, 7])
def test_orders_come_in_pairs(max_permutations):
    with pytest.raises(TransportError, match="even"):
        shapley(("a", "b"), lambda _: 1.0, max_permutations=max_permutations)


def test_the_groups_of_sampled_orders_can_be_named_beforehand():
    players = tuple(f"s{i}" for i in range(12))
    asked = []
    drawn = game(np.random.default_rng(2), players)

    def distance(coalition):
        asked.append(coalition)
        return drawn(coalition)

    shapley(players, distance, standard_error=0, max_permutations=24, seed=4)
    named = sampled_coalitions(players, 24, seed=4)
    assert len(set(named)) == len(named)
    assert set(named) == {coalition for coalition in asked if 1 < len(coalition) < 11}
    parts = (
        sampled_coalitions(players, 20, seed=4),
        sampled_coalitions(players, 4, first=20, seed=4),
    )
    assert set(named) == {coalition for part in parts for coalition in part}


def mixture(rng, count):
    """W_2 between a point and coalitions of clouds of unequal sizes, which is a mean of squares."""
    players = [f"s{i:02}" for i in range(count)]
    squares = dict(zip(players, rng.uniform(1, 9, count), strict=True))
    sizes = dict(zip(players, rng.integers(5, 50, count).astype(float), strict=True))

    def distance(coalition):
        mass = sum(sizes[player] for player in coalition)
        return float(np.sqrt(sum(sizes[p] * squares[p] for p in sorted(coalition)) / mass))

    return players, sizes, distance


def test_few_orders_tell_apart_what_only_depends_on_how_far_the_others_are(random):
    players, sizes, distance = mixture(random, 12)
    exact = exact_shapley(players, distance)
    found = sampled_shapley(players, distance, sizes, permutations=8)
    spread = np.ptp(list(exact.values.values()))
    for player in players:
        assert abs(found.values[player] - exact.values[player]) < 0.01 * spread
        assert found.standard_errors[player] < 0.01 * spread


def test_values_are_right_on_average_however_bad_the_model_is(random):
    players = [f"s{i:02}" for i in range(12)]
    distance = game(random, players)
    exact = exact_shapley(players, distance)
    strays = []
    for seed in range(8):
        found = sampled_shapley(players, distance, permutations=24, seed=seed)
        strays.append(
            [(found.values[p] - exact.values[p]) / found.standard_errors[p] for p in players]
        )
    # Of eight, the mean of what strays by one standard error does so by 0.35.
    assert np.abs(np.mean(strays, axis=0)).max() < 1.7
    assert 0.6 < np.std(strays) < 1.6

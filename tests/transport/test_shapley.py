from itertools import permutations

import numpy as np
import pytest

from wassay.transport import TransportError, sampled_groups, shapley


def game(rng, players):
    """Any distances of groups, drawn when asked for and then fixed."""
    known = {}
    return lambda group: known.setdefault(group, float(rng.random()) + len(players))


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
    return lambda group: min(places[player] for player in group)


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
    assert (found.orders, found.converged, set(found.standard_errors.values())) == (0, True, {0.0})


def test_ten_sellers_are_shared_exactly():
    places = {f"s{i}": 1.0 + i**1.5 for i in range(10)}
    assert shapley(tuple(places), nearest(places)).values == pytest.approx(airport(places))


def test_sampled_values_are_right_within_their_standard_errors():
    places = {f"s{i}": 1.0 + i**1.5 for i in range(14)}
    found = shapley(tuple(places), nearest(places), tolerance=0.05, seed=3)
    expected = airport(places)
    assert found.converged
    assert found.orders > 0
    spread = max(found.values.values()) - min(found.values.values())
    assert max(found.standard_errors.values()) <= 0.05 * spread
    for player, value in found.values.items():
        assert abs(value - expected[player]) <= 4 * found.standard_errors[player] + 1e-12


def test_where_the_order_does_not_matter_sampling_is_exact():
    adds = {f"s{i}": float(i) for i in range(12)}
    found = shapley(tuple(adds), lambda group: 100.0 - sum(adds[player] for player in group))
    gaps = [found.values[f"s{i}"] - found.values["s0"] for i in range(12)]
    assert gaps == pytest.approx(list(range(12)))
    assert max(found.standard_errors.values()) < 1e-12


def test_sampling_ends_at_the_limit_and_says_so():
    players = tuple(f"s{i}" for i in range(11))
    found = shapley(players, game(np.random.default_rng(1), players), tolerance=0, most_orders=20)
    assert (found.orders, found.converged) == (20, False)
    assert max(found.standard_errors.values()) > 0


def test_normalised_values_run_from_nought_to_one():
    places = {"near": 1.0, "middle": 2.0, "far": 4.0}
    normalised = shapley(tuple(places), nearest(places)).normalised
    assert (normalised["near"], normalised["far"]) == (1.0, 0.0)
    assert 0 < normalised["middle"] < 1
    assert shapley(("a", "b"), lambda _: 3.0).normalised == {"a": 1.0, "b": 1.0}


def test_sellers_come_once():
    with pytest.raises(TransportError, match="each once"):
        shapley(("a", "a"), lambda _: 1.0)
    with pytest.raises(TransportError, match="each once"):
        shapley((), lambda _: 1.0)


def test_the_groups_of_sampled_orders_can_be_named_beforehand():
    players = tuple(f"s{i}" for i in range(12))
    asked = []

    def distance(group):
        asked.append(group)
        return float(len(group))

    shapley(players, distance, tolerance=0, most_orders=20, seed=4)
    named = sampled_groups(players, 20, seed=4)
    assert len(set(named)) == len(named)
    assert set(named) == {group for group in asked if 1 < len(group) < 11}

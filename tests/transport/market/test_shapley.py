from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product

import numpy as np
import pytest

from wassay.transport import TransportError, sampled_coalitions, shapley
from wassay.transport.market.shapley import (
    MIN_PERMUTATIONS,
    Shapley,
    exact_shapley,
    further_permutations,
    sampled_shapley,
)
from wassay.transport.market.ties import BoundedValue


def game(rng: np.random.Generator, ids: Sequence[str]) -> Callable[[frozenset[str]], float]:
    """Return a function that draws the distance of each coalition once."""
    known: dict[frozenset[str], float] = {}
    return lambda coalition: known.setdefault(coalition, float(rng.random()) + len(ids))


def airport(places: Mapping[str, float]) -> dict[str, float]:
    """Return Shapley values if a coalition's distance is its nearest member's (airport game).

    From the farthest to the nearest, each improvement is shared by all members that reach it.
    """
    far_first = sorted(places, key=places.__getitem__, reverse=True)
    values, total = {}, 0.0
    for rank, contribution_id in enumerate(far_first):
        before = places[far_first[rank - 1]] if rank else places[contribution_id]
        total += (before - places[contribution_id]) / (len(places) - rank)
        values[contribution_id] = total
    return values


def nearest(places: Mapping[str, float]) -> Callable[[frozenset[str]], float]:
    return lambda coalition: min(places[contribution_id] for contribution_id in coalition)


def test_values_are_the_mean_of_marginals_over_all_permutations() -> None:
    ids = ("a", "b", "c", "d")
    distance = game(np.random.default_rng(0), ids)
    found = shapley(ids, distance)
    empty = max(distance(frozenset(p)) for p in ids)
    means = dict.fromkeys(ids, 0.0)
    for permutation in permutations(ids):
        before = empty
        for count, contribution_id in enumerate(permutation, start=1):
            after = distance(frozenset(permutation[:count]))
            means[contribution_id] += (before - after) / 24
            before = after
    assert found.values == pytest.approx(means)
    assert sum(found.values.values()) == pytest.approx(empty - distance(frozenset(ids)))
    assert (found.permutations, found.ended_by) == (0, "every-coalition")
    assert set(found.standard_errors.values()) == {0.0}


def test_shapley_values_of_ten_sellers_are_exact() -> None:
    places = {f"s{i}": 1.0 + i**1.5 for i in range(10)}
    assert shapley(tuple(places), nearest(places)).values == pytest.approx(airport(places))


def test_sampled_values_are_right_within_their_standard_errors() -> None:
    places = {f"s{i}": 1.0 + i**1.5 for i in range(14)}
    found = shapley(tuple(places), nearest(places), standard_error=0.1, seed=3)
    expected = airport(places)
    assert found.ended_by == "standard-error"
    assert found.permutations >= MIN_PERMUTATIONS
    spread = max(found.values.values()) - min(found.values.values())
    assert max(found.standard_errors.values()) <= 0.1 * spread
    for contribution_id, value in found.values.items():
        assert (
            abs(value - expected[contribution_id])
            <= 4 * found.standard_errors[contribution_id] + 1e-12
        )


def test_sampling_is_exact_if_marginals_do_not_depend_on_the_permutation() -> None:
    adds = {f"s{i}": float(i) for i in range(12)}
    found = shapley(
        tuple(adds),
        lambda coalition: 100.0 - sum(adds[contribution_id] for contribution_id in coalition),
    )
    gaps = [found.values[f"s{i}"] - found.values["s0"] for i in range(12)]
    assert gaps == pytest.approx(list(range(12)))
    assert max(found.standard_errors.values()) < 1e-12


def test_sampling_ends_at_the_limit_and_says_so() -> None:
    ids = tuple(f"s{i}" for i in range(11))
    distance = game(np.random.default_rng(1), ids)
    found = shapley(ids, distance, standard_error=0, max_permutations=40)
    assert (found.permutations, found.ended_by) == (40, "permutations")
    assert max(found.standard_errors.values()) > 0


def test_relative_scores_run_from_zero_to_one() -> None:
    places = {"near": 1.0, "middle": 2.0, "far": 4.0}
    scores = shapley(tuple(places), nearest(places)).relative_scores
    assert (scores["near"], scores["far"]) == (1.0, 0.0)
    assert 0 < scores["middle"] < 1
    assert shapley(("a", "b"), lambda _: 3.0).relative_scores == {"a": 1.0, "b": 1.0}


def test_contribution_ids_are_distinct() -> None:
    with pytest.raises(TransportError, match="distinct contribution ids"):
        shapley(("a", "a"), lambda _: 1.0)
    with pytest.raises(TransportError, match="distinct contribution ids"):
        shapley((), lambda _: 1.0)


@pytest.mark.parametrize("max_permutations", [0, -2, 7])
def test_max_permutations_is_even(max_permutations: int) -> None:
    with pytest.raises(TransportError, match="even"):
        shapley(("a", "b"), lambda _: 1.0, max_permutations=max_permutations)


def test_sampled_coalitions_are_all_that_sampling_needs() -> None:
    ids = tuple(f"s{i}" for i in range(12))
    asked = []
    drawn = game(np.random.default_rng(2), ids)

    def distance(coalition: frozenset[str]) -> float:
        asked.append(coalition)
        return drawn(coalition)

    shapley(ids, distance, standard_error=0, max_permutations=24, seed=4)
    named = sampled_coalitions(ids, 24, seed=4)
    assert len(set(named)) == len(named)
    assert set(named) == {coalition for coalition in asked if 1 < len(coalition) < 11}
    parts = (
        sampled_coalitions(ids, 20, seed=4),
        sampled_coalitions(ids, 4, first=20, seed=4),
    )
    assert set(named) == {coalition for part in parts for coalition in part}


def mixture(
    rng: np.random.Generator, count: int
) -> tuple[list[str], dict[str, float], Callable[[frozenset[str]], float]]:
    """Draw clouds of unequal sizes; return ids, sizes and the W_2 from a point to a coalition."""
    ids = [f"s{i:02}" for i in range(count)]
    squares = dict(zip(ids, rng.uniform(1, 9, count), strict=True))
    sizes = dict(zip(ids, rng.integers(5, 50, count).astype(float), strict=True))

    def distance(coalition: frozenset[str]) -> float:
        mass = sum(sizes[contribution_id] for contribution_id in coalition)
        return float(np.sqrt(sum(sizes[p] * squares[p] for p in sorted(coalition)) / mass))

    return ids, sizes, distance


def test_the_model_leaves_small_errors_where_marginals_depend_on_distances(
    random: np.random.Generator,
) -> None:
    ids, sizes, distance = mixture(random, 12)
    exact = exact_shapley(ids, distance)
    found = sampled_shapley(ids, distance, sizes, permutations=8)
    spread = np.ptp(list(exact.values.values()))
    for contribution_id in ids:
        assert abs(found.values[contribution_id] - exact.values[contribution_id]) < 0.01 * spread
        assert found.standard_errors[contribution_id] < 0.01 * spread


def test_sampled_values_are_unbiased_however_bad_the_model_is(random: np.random.Generator) -> None:
    ids = [f"s{i:02}" for i in range(12)]
    distance = game(random, ids)
    exact = exact_shapley(ids, distance)
    strays = []
    for seed in range(8):
        found = sampled_shapley(ids, distance, permutations=24, seed=seed)
        strays.append([(found.values[p] - exact.values[p]) / found.standard_errors[p] for p in ids])
    # The mean of eight errors has a standard deviation of 0.35 standard errors.
    assert np.abs(np.mean(strays, axis=0)).max() < 1.7
    assert 0.6 < np.std(strays) < 1.6


def test_the_resolution_is_the_largest_change_within_the_intervals_of_the_distances() -> None:
    error = 0.125
    distances = {frozenset("a"): 3.0, frozenset("b"): 5.0, frozenset("ab"): 2.0}
    found = shapley("ab", lambda s: BoundedValue(distances[s], (distances[s] - error, 6.0)))
    assert found.max_error == 2 * (6.0 - 2.0)
    found = shapley(
        "ab", lambda s: BoundedValue(distances[s], (distances[s] - error, distances[s] + error))
    )
    changes = []
    for signs in product((-1, 1), repeat=3):
        moved = {s: d + sign * error for (s, d), sign in zip(distances.items(), signs, strict=True)}
        values = shapley("ab", moved.__getitem__).values
        changes += [abs(values[seller] - found.values[seller]) for seller in "ab"]
    assert found.max_error == max(changes)


@pytest.mark.parametrize(
    ("largest_error", "target", "more"),
    [
        (0.1, 0.1, 0),
        # Errors fall with the root of the number of permutations: 20 × 1.2² = 28.8, in pairs 30.
        (0.12, 0.1, 10),
        # At most as many permutations are added as there are.
        (1.0, 0.1, 20),
        # A thousandth of the largest distance, divided by three sellers, is accepted as error.
        (0.0099, 0.0, 0),
        (0.0101, 0.0, 2),
    ],
)
def test_as_many_permutations_are_added_as_the_standard_errors_need(
    largest_error: float, target: float, more: int
) -> None:
    values, errors = {"a": -0.5, "b": 0.25, "c": 0.5}, {"a": 0.0, "b": largest_error, "c": 1e-3}
    estimated = Shapley(values, errors, 20, 0.0, "permutations")
    distances = {frozenset("a"): 30.0, frozenset("b"): 20.0, frozenset("c"): 10.0}
    assert further_permutations(estimated, distances.__getitem__, target) == more

"""Distances of coalitions of contributions at the private t0."""

import math
from itertools import combinations

import pytest

from tests.client.documents import result
from wassay import Measure, Normal, Reference
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.valuation.coalition_distances import CoalitionEstimates, all_coalitions

PLACES = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0}
T0 = 0.5


def distance(members: tuple[str, ...]) -> float:
    """Return W_2 between one point at 0 and the members' points."""
    return math.sqrt(sum(PLACES[member] ** 2 for member in members) / len(members))


def found(coalitions: list[tuple[str, ...]]) -> CoalitionEstimates:
    sellers = {label: Measure([[place]]) for label, place in PLACES.items()}
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), sellers, reference, T0, coalitions=coalitions)
    return CoalitionEstimates(document, PrivatePush(T0, 0.0))


def test_a_coalitions_distance_is_that_of_its_members_stacked() -> None:
    everything = found(all_coalitions(list(PLACES)))
    for size in range(1, 5):
        for members in combinations(PLACES, size):
            estimate = everything([f"con_{member}" for member in members])
            assert estimate.value == pytest.approx(distance(members))
            assert estimate.interval is not None
            assert estimate.interval[0] - 1e-6 <= distance(members) <= estimate.interval[1] + 1e-6


def test_coalitions_are_known_once_an_evaluation_has_solved_them() -> None:
    known, others = found([("a", "b")]), found([("a", "c")])
    assert ["con_b", "con_a"] in known
    assert ["con_a", "con_c"] not in known
    sellers = {label: Measure([[place]]) for label, place in PLACES.items()}
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), sellers, reference, T0, coalitions=[("a", "c")])
    known.add(document.coalitions)
    assert known(["con_c", "con_a"]).value == others(["con_a", "con_c"]).value


def test_all_coalitions_are_those_that_not_every_evaluation_solves() -> None:
    assert all_coalitions(["a", "b"]) == []
    assert all_coalitions(["a", "b", "c"]) == list(combinations("abc", 2))
    assert len(all_coalitions([str(n) for n in range(10)])) == 2**10 - 2 - 10

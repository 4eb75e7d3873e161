"""What contributions add to each other, and which to buy, at the private t0."""

from itertools import combinations

import numpy as np
import pytest

from tests.client.documents import result
from wassay import Measure, Normal, Reference, Result
from wassay.client.errors import InvalidArgumentError
from wassay.client.groups import every_group
from wassay.client.push import Push
from wassay.transport import shapley

PLACES = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0}
T0 = 0.5


def distance(members: tuple[str, ...]) -> float:
    """W2 between one point at 0 and the members' points."""
    return (sum(PLACES[member] ** 2 for member in members) / len(members)) ** 0.5


def found(groups: list[tuple[str, ...]]) -> Result:
    sellers = {label: Measure([[place]]) for label, place in PLACES.items()}
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), sellers, reference, T0, groups=groups)
    return Result(document, Push(T0, 0.0))


@pytest.fixture(scope="module")
def everything() -> Result:
    return found(every_group(list(PLACES)))


def test_every_group_is_as_far_as_its_members_together(everything: Result) -> None:
    for size in range(1, 5):
        for members in combinations(PLACES, size):
            estimate = everything.distance_of([f"con_{member}" for member in members])
            assert estimate.value == pytest.approx(distance(members))
            assert estimate.interval is not None
            assert estimate.interval[0] - 1e-6 <= distance(members) <= estimate.interval[1] + 1e-6


def test_shapley_values_share_out_the_worth_of_all(everything: Result) -> None:
    values = everything.shapley().values
    assert sum(values.values()) == pytest.approx(4.0 - distance(tuple(PLACES)))
    assert sorted(values, key=lambda name: -values[name]) == ["con_a", "con_c", "con_b", "con_d"]


def test_a_budget_is_spent_on_who_brings_all_nearest(everything: Result) -> None:
    prices = {f"con_{label}": 1.0 for label in PLACES}
    (first,) = everything.buy(prices, budget=4.0)
    assert (first.seller_id, first.spent) == ("con_a", 1.0)
    assert first.distance.value == pytest.approx(1.0)
    (dear,) = everything.buy({**prices, "con_a": 9.0}, budget=4.0)
    assert dear.seller_id == "con_c"


def test_a_group_that_was_not_solved_is_named() -> None:
    partly = found([("a", "b")])
    assert partly.distance_of(["con_b", "con_a"]).value == pytest.approx(distance(("a", "b")))
    with pytest.raises(InvalidArgumentError, match=r"group of a, c.*groups=\"all\""):
        partly.distance_of(["con_a", "con_c"])
    with pytest.raises(InvalidArgumentError, match="did not solve"):
        partly.shapley()


def test_all_groups_are_those_that_no_evaluation_solves_by_itself() -> None:
    assert every_group(["a", "b", "c"]) == []
    assert every_group(["a", "b", "c", "d"]) == list(combinations("abcd", 2))
    assert len(every_group([str(n) for n in range(10)])) == 2**10 - 2 - 20
    with pytest.raises(InvalidArgumentError, match="10 contributions at most, came 11"):
        every_group([str(n) for n in range(11)])


def test_of_many_contributions_orders_are_sampled() -> None:
    places = {f"s{n:02}": 1.0 + n for n in range(11)}
    sellers = {label: Measure([[place]]) for label, place in places.items()}
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), sellers, reference, T0, orders=16)
    found = Result(document, Push(T0, 0.0)).shapley()
    assert found.orders == 16
    assert list(found.values) == [f"con_{label}" for label in places]
    expected = shapley(
        list(places), lambda group: rms(places, group), tolerance=0, most_orders=1000
    )
    for label in places:
        error = found.standard_errors[f"con_{label}"]
        assert abs(found.values[f"con_{label}"] - expected.values[label]) <= 8 * error
    not_asked = result(Measure([[0.0]]), sellers, reference, T0)
    with pytest.raises(InvalidArgumentError, match=r"11 contributions are sampled.*orders"):
        Result(not_asked, Push(T0, 0.0)).shapley()


def rms(places: dict[str, float], group: frozenset[str]) -> float:
    return float(np.sqrt(np.mean([places[member] ** 2 for member in group])))

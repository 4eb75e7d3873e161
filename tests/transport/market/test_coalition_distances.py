import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian
from wassay.transport import (
    CoalitionDistances,
    Measure,
    SellerCosts,
    TransportError,
    buy_greedily,
)


def market() -> tuple[Measure, dict[str, Measure], CoalitionDistances]:
    rng = np.random.default_rng(5)
    buyer = gaussian(rng, 20, 3)
    sellers = {f"s{i}": gaussian(rng, 8 + i, 3, mean=i) for i in range(3)}
    costs = [SellerCosts.from_measures(name, {0.5: m}, buyer) for name, m in sellers.items()]
    return buyer, sellers, CoalitionDistances(buyer.weights, costs, 0.5)


def test_the_distance_of_a_coalition_is_that_of_its_stacked_points() -> None:
    buyer, sellers, distances = market()
    for coalition in ({"s0"}, {"s0", "s2"}, {"s0", "s1", "s2"}):
        points = np.concatenate([sellers[name].points for name in sorted(coalition)])
        expected = ot.emd2([], [], ot.dist(points, buyer.points)) ** 0.5
        found = distances(coalition)
        assert found.value == pytest.approx(expected)
        assert found.certificate.relative_gap <= 1e-9
        assert distances(sorted(coalition)) is found


def test_coalitions_have_contributing_sellers_as_members() -> None:
    buyer, sellers, distances = market()
    with pytest.raises(TransportError, match="at least one member; choose from s0, s1, s2"):
        distances(())
    with pytest.raises(TransportError, match="unknown contributions 'unknown'; choose from s0"):
        distances({"s0", "unknown"})
    one = SellerCosts.from_measures("s0", {0.5: sellers["s0"]}, buyer)
    with pytest.raises(TransportError, match="each once"):
        CoalitionDistances(buyer.weights, [one, one], 0.5)
    with pytest.raises(TransportError, match=r"s = 0\.25 from every seller, received none from s0"):
        CoalitionDistances(buyer.weights, [one], 0.25)


def two_halves() -> CoalitionDistances:
    """Return the distances of coalitions of four sellers. The buyer needs points at 0 and at 10."""
    buyer = Measure([[0.0], [10.0]])
    sellers = {"left": [[0.0]], "right": [[10.0]], "between": [[4.0], [6.0]], "far": [[90.0]]}
    costs = [
        SellerCosts.from_measures(name, {0.0: Measure(points)}, buyer)
        for name, points in sellers.items()
    ]
    return CoalitionDistances(buyer.weights, costs, 0.0)


def test_greedy_buys_what_reduces_the_distance_most_and_stops_when_nothing_does() -> None:
    distances = two_halves()
    prices = dict.fromkeys(("left", "right", "between", "far"), 1.0)
    bought = buy_greedily(prices, 10.0, distances)
    # W_2² of "between" alone is 16, and of every other seller alone at least 50. "left" then gives
    # {0, 4, 6} against {0, 10}: (0 + 16·½ + 36·½ + 16)/3. "right" then adds the point at 10.
    assert [purchase.contribution_id for purchase in bought] == ["between", "left", "right"]
    assert [purchase.spent for purchase in bought] == [1.0, 2.0, 3.0]
    assert bought[0].distance.value == pytest.approx(4.0)
    assert bought[2].distance.value == pytest.approx(8**0.5)
    values = [purchase.distance.value for purchase in bought]
    assert values == sorted(values, reverse=True)


def test_greedy_stays_within_the_budget() -> None:
    distances = two_halves()
    prices = {"left": 1.0, "right": 2.0, "between": 5.0, "far": 1.0}
    bought = buy_greedily(prices, 3.5, distances)
    assert {purchase.contribution_id for purchase in bought} == {"left", "right"}
    assert bought[-1].distance.value == pytest.approx(0.0, abs=1e-9)
    assert buy_greedily(prices, 0.5, distances) == ()
    with pytest.raises(TransportError, match="not negative"):
        buy_greedily({"left": -1.0}, 1.0, distances)
    with pytest.raises(TransportError, match="a budget that is not negative, received nan"):
        buy_greedily(prices, float("nan"), distances)

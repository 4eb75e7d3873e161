from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian, random_weights, weighted
from wassay.transport import (
    Cancelled,
    Measure,
    Power,
    SellerCosts,
    TransportError,
    cost_block,
    evaluate,
    project,
    relative_scores,
    scores,
    solve,
)

SWEEP = (0.25, 0.5, 0.75)


def request(
    seed: int = 0, sizes: Sequence[int] = (12, 9, 15), d: int = 3
) -> tuple[Measure, dict[str, dict[float, Measure]]]:
    """Draw a buyer's pushed measure, and the sellers' measures at every s."""
    rng = np.random.default_rng(seed)
    reference = gaussian(rng, 8, d)
    buyer = project(weighted(rng, 14, d), reference).interpolate(0.3)
    sellers = {}
    for i, size in enumerate(sizes):
        projection = project(gaussian(rng, size, d, mean=i), reference)
        sellers[f"seller {i}"] = {s: projection.interpolate(s) for s in SWEEP}
    return buyer, sellers


def by_measures(
    buyer: Measure, sellers: Mapping[str, Mapping[float, Measure]], p: Power = 2
) -> list[SellerCosts]:
    return [SellerCosts.from_measures(name, m, buyer, p) for name, m in sellers.items()]


def outside_cost(
    buyer: Measure, measures: Sequence[Measure], shares: Iterable[float], p: Power = 2
) -> float:
    """Return W_p^p between the buyer and a mixture of measures, by POT."""
    points = np.concatenate([m.points for m in measures])
    weights = np.concatenate([w * m.weights for w, m in zip(shares, measures, strict=True)])
    metric = "sqeuclidean" if p == 2 else "euclidean"
    return float(ot.emd2(weights, buyer.weights, ot.dist(points, buyer.points, metric)))


@pytest.mark.parametrize("p", [1, 2])
def test_grand_singleton_and_leave_one_out_coalitions_have_the_distances_of_their_mixtures(
    p: Power,
) -> None:
    buyer, sellers = request()
    valuation = evaluate(buyer.weights, by_measures(buyer, sellers, p), SWEEP, p=p)
    shares = np.array([12, 9, 15]) / 36
    assert list(valuation.seller_weights.values()) == pytest.approx(shares)
    for index, s in enumerate(SWEEP):
        measures = [m[s] for m in sellers.values()]
        together = valuation.grand_coalition.points[index]
        assert together.cost == pytest.approx(outside_cost(buyer, measures, shares, p), rel=1e-9)
        mixture_mean = sum(w * m.mean for w, m in zip(shares, measures, strict=True))
        assert together.mean_shift == pytest.approx(((mixture_mean - buyer.mean) ** 2).sum())
        for i, name in enumerate(sellers):
            alone = valuation.singleton[name].points[index]
            assert alone.cost == pytest.approx(outside_cost(buyer, [measures[i]], [1.0], p))
            rest = [j for j in range(3) if j != i]
            expected = outside_cost(
                buyer, [measures[j] for j in rest], shares[rest] / shares[rest].sum(), p
            )
            assert valuation.leave_one_out[name].points[index].cost == pytest.approx(expected)


def test_given_seller_weights_are_used() -> None:
    buyer, sellers = request()
    shares = {"seller 0": 0.5, "seller 1": 0.2, "seller 2": 0.3}
    valuation = evaluate(buyer.weights, by_measures(buyer, sellers), SWEEP, seller_weights=shares)
    expected = outside_cost(buyer, [m[0.5] for m in sellers.values()], [0.5, 0.2, 0.3])
    assert valuation.grand_coalition.points[1].cost == pytest.approx(expected)
    assert valuation.seller_weights == shares


def test_weights_that_are_off_by_the_tolerance_on_every_level_are_used() -> None:
    off = 1 + 9e-10
    buyer, sellers = request()
    shares = {"seller 0": 0.5, "seller 1": 0.2, "seller 2": 0.3}

    def leaning(measure: Measure) -> Measure:
        return Measure(measure.points, measure.weights * off)

    heavier = {name: {s: leaning(m) for s, m in of.items()} for name, of in sellers.items()}
    with_all = evaluate(
        buyer.weights * off,
        by_measures(leaning(buyer), heavier),
        SWEEP,
        seller_weights={name: share * off for name, share in shares.items()},
    )
    expected = evaluate(buyer.weights, by_measures(buyer, sellers), SWEEP, seller_weights=shares)
    assert sum(with_all.seller_weights.values()) == pytest.approx(1, abs=1e-15)
    for found, known in (
        (with_all.grand_coalition, expected.grand_coalition),
        *((with_all.leave_one_out[name], expected.leave_one_out[name]) for name in shares),
    ):
        costs = [point.cost for point in found.points]
        assert costs == pytest.approx([point.cost for point in known.points], rel=1e-7)


def test_cost_blocks_give_what_measures_give(tmp_path: Path) -> None:
    buyer, sellers = request()
    blocks = []
    for number, (name, measures) in enumerate(sellers.items()):
        own = {}
        for s, m in measures.items():
            path = tmp_path / f"{number}-{s}.npy"
            np.save(path, cost_block(m.points, buyer.points))
            own[s] = np.load(path, mmap_mode="r")
        blocks.append(SellerCosts.from_blocks(name, own))
    one = evaluate(buyer.weights, by_measures(buyer, sellers), SWEEP)
    other = evaluate(buyer.weights, blocks, SWEEP)
    for s in SWEEP:
        np.testing.assert_allclose(
            one.buyer_scores[s].values, other.buyer_scores[s].values, atol=1e-9
        )
    first = "seller 1"
    for curve, same in (
        (one.grand_coalition, other.grand_coalition),
        (one.singleton[first], other.singleton[first]),
    ):
        assert [q.cost for q in curve.points] == pytest.approx(
            [q.cost for q in same.points], rel=1e-9
        )
        assert curve.quadratic_coefficient == pytest.approx(same.quadratic_coefficient, rel=1e-6)
        assert all(q.mean_shift is None for q in same.points)


def test_scores_are_those_of_the_stacked_problem_cut_by_seller() -> None:
    buyer, sellers = request()
    valuation = evaluate(buyer.weights, by_measures(buyer, sellers), SWEEP)
    cost = np.concatenate([cost_block(m[0.5].points, buyer.points) for m in sellers.values()])
    rows, columns = scores(cost, solve(cost, np.full(36, 1 / 36), buyer.weights))
    np.testing.assert_allclose(valuation.buyer_scores[0.5].values, columns.values, atol=1e-9)
    stacked = np.concatenate([valuation.seller_scores[name][0.5].values for name in sellers])
    np.testing.assert_allclose(stacked, rows.values, atol=1e-9)


def test_permuting_sellers_changes_nothing() -> None:
    buyer, sellers = request()
    costs = by_measures(buyer, sellers)
    one = evaluate(buyer.weights, costs, SWEEP)
    other = evaluate(buyer.weights, costs[::-1], SWEEP)
    assert one.grand_coalition.distance(0.4) == pytest.approx(
        other.grand_coalition.distance(0.4), rel=1e-9
    )
    for name in sellers:
        np.testing.assert_allclose(
            one.seller_scores[name][0.25].values, other.seller_scores[name][0.25].values, atol=1e-9
        )
        assert one.leave_one_out[name].distance(0.4) == pytest.approx(
            other.leave_one_out[name].distance(0.4)
        )


def test_of_two_sellers_all_without_one_is_the_other_alone_and_is_not_solved_again() -> None:
    buyer, sellers = request(sizes=(12, 9))
    solved: list[tuple[int, int]] = []

    valuation = evaluate(
        buyer.weights,
        by_measures(buyer, sellers),
        SWEEP,
        progress=lambda *done_and_all: solved.append(done_and_all),
    )

    one, other = sellers
    assert solved[-1] == (9, 9)
    for out, left in ((one, other), (other, one)):
        for index, s in enumerate(SWEEP):
            expected = outside_cost(buyer, [sellers[left][s]], [1.0])
            assert valuation.leave_one_out[out].points[index].cost == pytest.approx(expected)


def test_one_seller_is_the_grand_coalition_and_has_no_leave_one_out() -> None:
    buyer, sellers = request(sizes=(12,))
    valuation = evaluate(buyer.weights, by_measures(buyer, sellers), SWEEP)
    assert valuation.singleton == {"seller 0": valuation.grand_coalition}
    assert valuation.leave_one_out == {}


def test_progress_counts_every_solve_and_can_end_the_work() -> None:
    buyer, sellers = request()
    seen = []
    evaluate(
        buyer.weights,
        by_measures(buyer, sellers),
        SWEEP,
        progress=lambda done, total: seen.append((done, total)) if done else None,
    )
    assert list(dict.fromkeys(seen)) == [(i, 21) for i in range(1, 22)]

    def cancel(done: int, total: int) -> None:
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        evaluate(buyer.weights, by_measures(buyer, sellers), SWEEP, progress=cancel)


def test_a_seller_s_weights_count() -> None:
    rng = np.random.default_rng(1)
    weights = random_weights(rng, 10)
    buyer = gaussian(rng, 6, 2)
    blocks = {s: rng.random((10, 6)) for s in SWEEP}
    valuation = evaluate(buyer.weights, [SellerCosts.from_blocks("a", blocks, weights)], SWEEP)
    for point in valuation.grand_coalition.points:
        assert point.cost == pytest.approx(ot.emd2(weights, buyer.weights, blocks[point.s]))


def test_more_than_three_values_of_s_are_taken_in_any_order() -> None:
    rng = np.random.default_rng(2)
    blocks = {s: rng.random((5, 4)) for s in (0.9, 0.1, 0.5, 0.3)}
    valuation = evaluate([0.25] * 4, [SellerCosts.from_blocks("a", blocks)], list(blocks))
    assert valuation.grand_coalition.sweep == (0.1, 0.3, 0.5, 0.9)


def test_relative_scores_run_from_the_farthest_to_the_nearest() -> None:
    assert relative_scores({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 1.0, "b": 0.0, "c": 0.5}
    assert relative_scores({"a": 2.0, "b": 2.0}) == {"a": 1.0, "b": 1.0}
    assert relative_scores({"a": 7.0}) == {"a": 1.0}
    assert relative_scores({}) == {}
    with pytest.raises(TransportError, match="finite"):
        relative_scores({"a": float("nan")})


def test_costs_that_do_not_match_are_refused() -> None:
    buyer, sellers = request()
    costs = by_measures(buyer, sellers)
    with pytest.raises(TransportError, match=r"seller 0: .*, received none for s = \[0\.9\]"):
        evaluate(buyer.weights, costs, (*SWEEP, 0.9))
    with pytest.raises(TransportError, match="at least three"):
        evaluate(buyer.weights, costs, (0.25, 0.5))
    with pytest.raises(TransportError, match="each once"):
        evaluate(buyer.weights, [costs[0], costs[0]], SWEEP)
    with pytest.raises(TransportError, match="at least one seller"):
        evaluate(buyer.weights, [], SWEEP)
    with pytest.raises(TransportError, match="shape"):
        evaluate(buyer.weights[:-1], costs, SWEEP)
    with pytest.raises(TransportError, match="every seller"):
        evaluate(buyer.weights, costs, SWEEP, seller_weights={"seller 0": 1.0})
    with pytest.raises(TransportError, match="positive"):
        evaluate(
            buyer.weights,
            costs,
            SWEEP,
            seller_weights={"seller 0": 1.0, "seller 1": 0.0, "seller 2": 0.0},
        )


def test_measures_and_blocks_of_one_seller_have_to_fit_each_other() -> None:
    buyer = Measure(np.zeros((2, 1)))
    with pytest.raises(TransportError, match="the same weights at every s"):
        SellerCosts.from_measures(
            "a", {0.25: Measure([[0.0], [1.0]]), 0.5: Measure([[0.0], [1.0]], [0.4, 0.6])}, buyer
        )
    with pytest.raises(TransportError, match="expected measures of one dimension"):
        SellerCosts.from_measures("a", {0.25: Measure([[0.0, 1.0]])}, buyer)
    with pytest.raises(TransportError, match="one shape"):
        SellerCosts.from_blocks("a", {0.25: np.ones((2, 2)), 0.5: np.ones((3, 2))})
    with pytest.raises(TransportError, match="none"):
        SellerCosts.from_measures("a", {}, buyer)

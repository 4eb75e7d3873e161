"""With one reference point, one solve serves every s, and is certified at every s."""

from collections.abc import Sequence

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian
from wassay.transport import (
    BarycentricProjection,
    Measure,
    PointCost,
    Power,
    SellerCosts,
    cost_block,
    evaluate,
    project,
    scores,
    solve,
)
from wassay.transport.costs.given_cost import as_cost
from wassay.transport.solvers import batch
from wassay.transport.sweeps.cost_shift import CostShift
from wassay.transport.sweeps.sweep_solver import SweepSolver

SWEEP = (0.2, 0.5, 0.9)


def pushed(
    random: np.random.Generator, size: int, reference: Measure, mean: float = 0.0
) -> BarycentricProjection:
    weights = random.random(size)
    weights[: size // 4] = weights[0]
    weights /= weights.sum()
    return project(Measure(random.normal(mean, 1.0, (size, 3)), weights), reference)


def request_of(
    random: np.random.Generator, k: int, sizes: Sequence[int] = (20, 30, 25), buyers: int = 40
) -> tuple[Measure, dict[str, dict[float, Measure]]]:
    reference = gaussian(random, k, 3)
    buyer = pushed(random, buyers, reference).interpolate(0.3)
    sellers = {str(i): pushed(random, size, reference, i) for i, size in enumerate(sizes)}
    return buyer, {name: {s: p.interpolate(s) for s in SWEEP} for name, p in sellers.items()}


@pytest.mark.parametrize("k", [1, 6])
@pytest.mark.parametrize("few_pairs", [0, 10**9])
@pytest.mark.parametrize("p", [1, 2])
def test_every_coalition_has_a_certified_distance_at_every_s(
    k: int, few_pairs: int, p: Power, random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MAX_DENSE_PAIRS", few_pairs)
    buyer, sellers = request_of(random, k)
    costs = [SellerCosts.from_measures(name, each, buyer, p) for name, each in sellers.items()]
    found = evaluate(buyer.weights, costs, SWEEP, p=p)
    sizes = {name: len(each[SWEEP[0]].points) for name, each in sellers.items()}
    for left in (None, *sellers):
        curve = found.grand_coalition if left is None else found.leave_one_out[left]
        present = [name for name in sellers if name != left]
        total = sum(sizes[name] for name in present)
        for point in curve.points:
            points = np.concatenate([sellers[name][point.s].points for name in present])
            a = np.concatenate(
                [sellers[name][point.s].weights * sizes[name] / total for name in present]
            )
            expected = ot.emd2(a, buyer.weights, cost_block(points, buyer.points, p))
            assert point.cost == pytest.approx(expected, rel=1e-9)
            assert point.certificate is not None
            assert point.certificate.relative_gap <= 1e-9


@pytest.mark.parametrize("shape", [(30, 30), (30, 45), (31, 40)])
def test_scores_transferred_to_another_s_are_the_scores_there(
    shape: tuple[int, int], random: np.random.Generator
) -> None:
    reference = gaussian(random, 1, 3)
    rows, columns = (gaussian(random, size, 3) for size in shape)
    a, b = np.full(shape[0], 1 / shape[0]), np.full(shape[1], 1 / shape[1])
    a[:3], b[:2] = 0, 0  # as points of sellers outside of a coalition
    weights = a / a.sum(), b / b.sum()
    buyer = project(columns, reference).interpolate(0.3)
    projection = project(rows, reference)

    def cost_at(s: float) -> PointCost:
        return PointCost(projection.interpolate(s), buyer)

    along: SweepSolver[str] = SweepSolver(2)
    for s in SWEEP:
        (solution,) = along.solve(["all"], s, cost_at, [weights], lambda: None)
        carried = along.scores("all", s, cost_at, solution)
        direct = scores(cost_at(s), solve(cost_at(s), *weights))
        for one, other in zip(carried, direct, strict=True):
            np.testing.assert_allclose(one.values, other.values, atol=1e-11)
            np.testing.assert_allclose(one.spread, other.spread, atol=1e-11)


def test_costs_of_another_form_are_no_shift(random: np.random.Generator) -> None:
    before, after = random.random((60, 70)), random.random((60, 70))
    factor = 0.5
    both = factor * before + random.normal(size=(60, 1)) + random.normal(size=70)
    assert CostShift.between(as_cost(before), as_cost(both), factor) is not None
    assert CostShift.between(as_cost(before), as_cost(both), 0.6) is None
    assert CostShift.between(as_cost(before), as_cost(after), factor) is None


def test_certification_rejects_what_a_sample_cannot(random: np.random.Generator) -> None:
    """One different cost, outside of the sample, makes another plan optimal at that s."""
    before = random.random((60, 70)) + 1
    uniform = np.full(60, 1 / 60), np.full(70, 1 / 70)
    after = 0.5 * before
    after[1, 1] = 0.0
    costs = {0.5: as_cost(before), 0.75: as_cost(after)}
    assert CostShift.between(costs[0.5], costs[0.75], 0.5) is not None
    along: SweepSolver[str] = SweepSolver(2)
    for s, cost in costs.items():
        (found,) = along.solve(["all"], s, costs.__getitem__, [uniform], lambda: None)
        expected = ot.emd2(*uniform, cost.block(0, 60))
        assert found.cost == pytest.approx(expected, rel=1e-9)
        assert found.certificate.relative_gap <= 1e-9


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("distance", [1.0, 1e6])
@pytest.mark.parametrize("sizes", [(2, 2), (30, 30), (24, 40)])
def test_scores_of_two_clusters_are_those_of_the_solve_at_every_s(
    sizes: tuple[int, int], distance: float, p: Power, k: int, random: np.random.Generator
) -> None:
    """If clusters are far apart, costs change nearly by row and column terms, even for p = 1."""
    seller, buyer = (random.normal(size=(size, 2)) for size in sizes)
    seller[::2] += distance
    buyer[::2] += distance
    reference = gaussian(random, k, 2)
    own = project(Measure(seller), reference)
    pushed = project(Measure(buyer), reference).interpolate(0.25)
    sweep = (0.25, 0.5, 0.75)
    measures = {s: own.interpolate(s) for s in sweep}
    answer = SellerCosts.from_measures("seller", measures, pushed, p)
    found = evaluate(pushed.weights, [answer], sweep, p=p)
    for s in sweep:
        cost = PointCost(measures[s], pushed, p)
        rows, columns = scores(cost, solve(cost, own.measure.weights, pushed.weights))
        rounding = 1e-13 * float(np.abs(cost.block(0, sizes[0])).max())
        for one, direct in (
            (found.seller_scores["seller"][s], rows),
            (found.buyer_scores[s], columns),
        ):
            np.testing.assert_allclose(one.values, direct.values, atol=rounding)
            np.testing.assert_allclose(one.spread, direct.spread, atol=rounding)


def test_scores_are_not_transferred_past_a_pair_outside_the_sample(
    random: np.random.Generator,
) -> None:
    """A pair becomes cheaper, but not so cheap that another plan is optimal."""
    before = random.random((60, 60)) + 1
    uniform = np.full(60, 1 / 60), np.full(60, 1 / 60)
    solution = solve(before, *uniform)
    after = 0.5 * before
    reduced = before[1] - solution.f[1] - solution.g
    column = int(np.flatnonzero(np.arange(60) % 2 * reduced > 0.1)[0])
    after[1, column] -= 0.5 * reduced[column] - 1e-3
    costs = {0.5: as_cost(before), 0.75: as_cost(after)}
    assert CostShift.between(costs[0.5], costs[0.75], 0.5) is not None
    along: SweepSolver[str] = SweepSolver(2)
    for s, cost in costs.items():
        (found,) = along.solve(["all"], s, costs.__getitem__, [uniform], lambda: None)
        carried = along.scores("all", s, costs.__getitem__, found)
        direct = scores(cost, solve(cost, *uniform))
        for one, other in zip(carried, direct, strict=True):
            np.testing.assert_allclose(one.values, other.values, atol=1e-11)
            np.testing.assert_allclose(one.spread, other.spread, atol=1e-11)

"""What the buyer reads at t0, compared with POT on all parties' raw data."""

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Party
from wassay import (
    Buyer,
    BuyerPrivacy,
    Estimates,
    Evaluation,
    Measure,
    Normal,
    Protocol,
    Reference,
    Result,
    Seller,
    SellerPrivacy,
    transport,
)
from wassay.audit import Audit
from wassay.models import Mode, Order
from wassay.transport import Estimate

pytestmark = ON_SQLITE

Points = NDArray[np.float64]

T0 = 0.35171819
ROUNDING = 1e-7


@dataclass
class Trade:
    """The parties' data, and the evaluation with its result and estimates."""

    buyer: Points
    sellers: dict[str, Points]
    reference: Reference
    evaluation: Evaluation
    result: Result
    estimates: Estimates

    @property
    def grand_coalition(self) -> Estimate:
        """The estimate of all sellers together."""
        assert self.estimates.grand_coalition is not None
        return self.estimates.grand_coalition


def true_distance(buyer: Points, seller: Points, order: int = 2) -> float:
    cost = ot.dist(seller, buyer, "sqeuclidean" if order == 2 else "euclidean")
    found: float = ot.emd2([], [], cost, numItermax=10**8) ** (1 / order)
    return found


def is_inside(value: float, bounds: tuple[float, float] | None) -> bool:
    assert bounds is not None
    return bounds[0] - ROUNDING <= value <= bounds[1] + ROUNDING


@pytest.fixture(scope="package")
def market(new_party: NewParty) -> tuple[Party, dict[str, Party]]:
    names = ("near", "middle", "far")
    return new_party("buyer"), {name: new_party("seller", name=name) for name in names}


def trade(
    market: tuple[Party, dict[str, Party]], *, size: int, order: Order = 2, mode: Mode = "measure"
) -> Trade:
    random = np.random.default_rng(11)
    needed = random.normal(size=(60, 4))
    offered = {
        "near": random.normal(0.2, 1.0, size=(80, 4)),
        "middle": random.normal(0.8, 1.5, size=(50, 4)),
        "far": random.gamma(2.0, 2.0, size=(70, 4)),
    }
    buyer, sellers = market
    reference = Reference(size, 4, Normal(), seed=2**127 + 5)
    request = Buyer(buyer.client).ask(
        needed,
        title="Four features",
        sellers=[seller.account_id for seller in sellers.values()],
        privacy=BuyerPrivacy(
            reveals_measure=mode == "cost-block",
            max_disclosure="exact" if mode == "cost-block" else None,
        ),
        protocol=Protocol(t0=T0, order=order, reference=reference, modes=[mode]),
    )
    for name, points in offered.items():
        Seller(sellers[name].client).answer(request.id, points, mode=mode)
    request.wait_for(3, timeout=120)
    evaluation = request.evaluate().wait(timeout=300)
    result = evaluation.result()
    return Trade(needed, offered, reference, evaluation, result, result.estimates())


@pytest.fixture(scope="package")
def exact(market: tuple[Party, dict[str, Party]]) -> Trade:
    return trade(market, size=1)


def test_with_one_reference_point_the_true_distance_lies_in_every_bracket(exact: Trade) -> None:
    for seller in exact.estimates.sellers:
        true = true_distance(exact.buyer, exact.sellers[seller.label])
        assert is_inside(true, seller.singleton.bracket)
        assert seller.singleton.value == pytest.approx(true, rel=0.02)


def test_with_one_reference_point_the_interval_is_the_bracket(exact: Trade) -> None:
    for seller in exact.estimates.sellers:
        assert seller.singleton.interval == pytest.approx(seller.singleton.bracket, rel=1e-9)


def test_all_sellers_together_are_their_points_stacked(exact: Trade) -> None:
    true = true_distance(exact.buyer, np.vstack(list(exact.sellers.values())))
    assert is_inside(true, exact.grand_coalition.interval)
    assert exact.grand_coalition.value == pytest.approx(true, rel=0.02)


def test_without_a_seller_the_others_are_stacked(exact: Trade) -> None:
    for seller in exact.estimates.sellers:
        others = [data for name, data in exact.sellers.items() if name != seller.label]
        assert seller.leave_one_out is not None
        assert is_inside(
            true_distance(exact.buyer, np.vstack(others)), seller.leave_one_out.interval
        )
        assert seller.change == seller.leave_one_out.value - exact.grand_coalition.value


def test_the_solved_points_are_pots_distances_of_what_was_pushed(exact: Trade) -> None:
    gamma = exact.reference.measure().points
    pushed = (1 - T0) * exact.buyer + T0 * gamma
    everyone = np.vstack([exact.sellers[s.label] for s in exact.result.document.sellers])
    together = exact.result.document.grand_coalition
    assert together is not None
    for point in together.points:
        answer = (1 - point.s) * everyone + point.s * gamma
        assert point.distance == pytest.approx(true_distance(pushed, answer), rel=1e-9)


def test_contributions_run_from_the_nearest_to_the_farthest(exact: Trade) -> None:
    shares = {seller.label: seller.relative_score for seller in exact.estimates.sellers}
    assert shares["near"] == 1.0
    assert 0.0 < shares["middle"] < 1.0
    assert shares["far"] == 0.0


def test_shapley_values_at_t0_are_means_over_all_orders_of_the_raw_distances(exact: Trade) -> None:
    named = {seller.contribution_id: seller.label for seller in exact.result.document.sellers}
    alone = [true_distance(exact.buyer, data) for data in exact.sellers.values()]
    expected = dict.fromkeys(exact.sellers, 0.0)
    for order in permutations(exact.sellers):
        before = max(alone)
        for count, name in enumerate(order, start=1):
            coalition = np.vstack([exact.sellers[member] for member in order[:count]])
            after = true_distance(exact.buyer, coalition)
            expected[name] += (before - after) / 6
            before = after
    for contribution_id, value in exact.evaluation.shapley().values.items():
        assert value == pytest.approx(expected[named[contribution_id]], abs=0.02 * max(alone))


def test_the_first_bought_is_the_nearest_and_the_interval_holds_the_truth(exact: Trade) -> None:
    named = {seller.contribution_id: seller.label for seller in exact.result.document.sellers}
    bought = exact.evaluation.buy(dict.fromkeys(named, 1.0), budget=3.0)
    assert named[bought[0].contribution_id] == "near"
    together: list[Points] = []
    for purchase in bought:
        together.append(exact.sellers[named[purchase.contribution_id]])
        assert is_inside(
            true_distance(exact.buyer, np.vstack(together)), purchase.distance.interval
        )


def test_the_worst_certificate_is_that_of_an_exact_solve(exact: Trade) -> None:
    certificate = exact.result.certificate
    assert certificate is not None
    assert certificate.dual <= certificate.primal
    assert certificate.gap <= 1e-9 * certificate.primal


def test_measures_and_cost_blocks_give_the_same_distances(
    market: tuple[Party, dict[str, Party]], exact: Trade
) -> None:
    blocks = trade(market, size=1, mode="cost-block")
    theirs = {seller.label: seller for seller in blocks.estimates.sellers}
    for ours in exact.estimates.sellers:
        assert theirs[ours.label].singleton.value == pytest.approx(ours.singleton.value, rel=1e-9)
        assert theirs[ours.label].change == pytest.approx(ours.change, rel=1e-9, abs=1e-9)
    together = blocks.grand_coalition.value
    assert together == pytest.approx(exact.grand_coalition.value, rel=1e-9)


def test_a_reference_of_many_points_blurs_and_the_interval_says_how_much(
    market: tuple[Party, dict[str, Party]], exact: Trade
) -> None:
    blurred = trade(market, size=20)
    for seller in blurred.estimates.sellers:
        true = true_distance(blurred.buyer, blurred.sellers[seller.label])
        assert is_inside(true, seller.singleton.interval)
    true = true_distance(blurred.buyer, np.vstack(list(blurred.sellers.values())))
    interval = blurred.grand_coalition.interval
    assert interval is not None
    assert is_inside(true, interval)
    sharp = exact.grand_coalition.interval
    assert sharp is not None
    assert interval[1] - interval[0] > sharp[1] - sharp[0]


def test_w1_lies_in_its_interval_too(market: tuple[Party, dict[str, Party]]) -> None:
    linear = trade(market, size=1, order=1)
    for seller in linear.estimates.sellers:
        true = true_distance(linear.buyer, linear.sellers[seller.label], order=1)
        assert is_inside(true, seller.singleton.interval)


def test_points_may_weigh_differently_on_both_sides(
    market: tuple[Party, dict[str, Party]],
) -> None:
    random = np.random.default_rng(3)
    needed = Measure(random.normal(size=(20, 2)), random.dirichlet(np.ones(20)))
    offered = Measure(random.normal(1.0, 1.0, size=(30, 2)), random.dirichlet(np.ones(30)))
    buyer, sellers = market
    request = Buyer(buyer.client).ask(
        needed, title="Weighted", sellers=[sellers["near"].account_id], protocol=Protocol(t0=T0)
    )
    Seller(sellers["near"].client).answer(request.id, offered)
    estimates = request.evaluate().wait(timeout=300).result().estimates()
    squared = ot.emd2(
        offered.weights,
        needed.weights,
        ot.dist(offered.points, needed.points),
        numItermax=10**8,
    )
    assert is_inside(math.sqrt(squared), estimates.sellers[0].singleton.interval)


def test_the_estimates_print_as_a_table(exact: Trade) -> None:
    lines = str(exact.estimates).splitlines()
    assert lines[0].split("  ")[0] == "seller"
    assert len(lines) == 2 + len(exact.sellers) + 1 + len(exact.sellers) + 1  # verdicts, coverage
    for label, points in exact.sellers.items():
        row = next(line for line in lines if line.startswith(label))
        assert f" {len(points)} " in row
    assert lines[2 + len(exact.sellers)].startswith("all together")


def test_the_result_as_json_holds_the_curves_and_not_t0(exact: Trade) -> None:
    text = exact.result.to_json()
    assert "grand_coalition" in text
    assert repr(T0) not in text


def test_scores_at_t0_are_those_of_the_raw_data(
    market: tuple[Party, dict[str, Party]],
) -> None:
    random = np.random.default_rng(8)
    needed, offered = random.normal(size=(37, 3)), random.normal(0.5, 1.0, size=(41, 3))
    buyer, sellers = market
    request = Buyer(buyer.client).ask(
        needed, title="Scores", sellers=[sellers["near"].account_id], protocol=Protocol(t0=T0)
    )
    answer = Seller(sellers["near"].client).answer(
        request.id, offered, privacy=SellerPrivacy(scores="scores", max_disclosure="exact")
    )
    evaluation = request.evaluate().wait(timeout=300)
    cost = ot.dist(offered, needed)
    rows = Seller(sellers["near"].client).table_rows(answer.id)
    for found, side in (
        (evaluation.scores_at_t0(answer.id), cost[rows]),
        (evaluation.scores_at_t0(), cost.T),
    ):
        n, m = side.shape
        _, log = ot.emd(np.full(n, 1 / n), np.full(m, 1 / m), side, log=True)
        # 37 and 41 have no common divisor, so the plan is one tree, and the potentials are unique.
        potentials = log["u"]
        others = (potentials.sum() - potentials) / (n - 1)
        np.testing.assert_allclose(found.values, potentials - others, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(found.spread, 0, atol=1e-9)
    far = np.linalg.norm(offered[rows], axis=1) > 2
    curve = evaluation.detection_curve(far, answer.id)
    inspected = np.argsort(-evaluation.scores_at_t0(answer.id).values)
    np.testing.assert_allclose(curve.recall, np.cumsum(far[inspected]) / far.sum())


def test_an_exact_interpolation_gives_equation_eight_with_every_pair_of_the_plans(
    market: tuple[Party, dict[str, Party]],
) -> None:
    random = np.random.default_rng(9)
    needed, offered = random.normal(size=(30, 3)), random.normal(0.5, 1.0, size=(41, 3))
    buyer, sellers = market
    reference = Reference(25, 3, Normal(0.0, 2.0), seed=5)
    request = Buyer(buyer.client).ask(
        needed,
        title="Exact",
        sellers=[sellers["near"].account_id],
        protocol=Protocol(t0=0.5, reference=reference, interpolation="exact"),
    )
    audits: list[Audit] = []
    answer = Seller(sellers["near"].client).answer(request.id, offered, on_audit=audits.append)
    assert answer.points == 41 + 25 - 1
    assert max(each.attacked for each in audits[0].exposures) == 41 + 25 - 1
    found = request.evaluate().wait(timeout=300).result().estimates().sellers[0].singleton
    gamma = reference.measure().points

    def pushed(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        plan = ot.emd([], [], ot.dist(points, gamma))
        rows, columns = np.nonzero(plan > 1e-12)
        return (points[rows] + gamma[columns]) / 2, plan[rows, columns] / plan.sum()

    (mine, mass), (theirs, their_mass) = pushed(needed), pushed(offered)
    expected = 2 * np.sqrt(ot.emd2(mass, their_mass, ot.dist(mine, theirs)))
    assert found.value == pytest.approx(expected, rel=1e-6)
    truth = np.sqrt(ot.emd2([], [], ot.dist(needed, offered)))
    assert found.interval is not None
    assert found.interval[0] <= truth <= found.interval[1]


def test_transport_is_the_same_here_as_at_the_service(exact: Trade) -> None:
    gamma = exact.reference.measure()
    pushed = transport.interpolate(Measure(exact.buyer), gamma, T0)
    for seller in exact.result.document.sellers:
        offered = Measure(exact.sellers[seller.label])
        for point in seller.singleton.points:
            answer = transport.interpolate(offered, gamma, point.s)
            here = transport.wasserstein(answer, pushed).value
            assert point.distance == pytest.approx(here, rel=1e-9)

import math
from collections.abc import Sequence

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian, weighted
from wassay.transport import (
    Certificate,
    DistanceCurve,
    Measure,
    NegativeRadicand,
    Power,
    SellerCosts,
    SweepPoint,
    TransportError,
    aggregate_spread,
    estimate,
    evaluate,
    gelbrich_lower_bound,
    interpolate,
    one_seller_upper_bound,
    project,
    wasserstein,
)

SWEEP = (0.25, 0.5, 0.75)


def answered(
    mu: Measure, sellers: Sequence[Measure], reference: Measure, push: float, p: Power = 2
) -> tuple[DistanceCurve, float, float, Measure]:
    """Evaluate known data; return the curve, both spreads and the mixture of the sellers."""
    buyer = project(mu, reference)
    eta = buyer.interpolate(push)
    projections = {f"seller {i}": project(nu, reference) for i, nu in enumerate(sellers)}
    costs = [
        SellerCosts.from_measures(name, {s: b.interpolate(s) for s in SWEEP}, eta, p)
        for name, b in projections.items()
    ]
    valuation = evaluate(eta.weights, costs, SWEEP, p=p)
    shares = valuation.seller_weights
    spread = aggregate_spread({name: b.spread for name, b in projections.items()}, shares)
    aggregate = Measure(
        np.concatenate([nu.points for nu in sellers]),
        np.concatenate(
            [share * nu.weights for share, nu in zip(shares.values(), sellers, strict=True)]
        ),
    )
    return valuation.grand_coalition, buyer.spread, spread, aggregate


def random_case(seed: int) -> tuple[Measure, list[Measure], Measure, float]:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 6))
    mu = weighted(rng, int(rng.integers(2, 15)), d)
    sellers = [
        Measure(rng.normal(rng.normal(scale=2), rng.uniform(0.2, 3), size=(size, d)))
        for size in rng.integers(1, 12, size=int(rng.integers(1, 4)))
    ]
    reference = gaussian(rng, int(rng.integers(1, 12)), d, std=float(rng.uniform(0, 4)))
    return mu, sellers, reference, float(rng.uniform(0.01, 0.95))


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize(
    "block", [0, 1, *(pytest.param(more, marks=pytest.mark.endurance) for more in (2, 3))]
)
def test_the_interval_always_holds_the_true_distance_of_aggregates(p: Power, block: int) -> None:
    for seed in range(20 * block, 20 * (block + 1)):
        mu, sellers, reference, push = random_case(seed)
        curve, buyer_spread, seller_spread, aggregate = answered(mu, sellers, reference, push, p)
        try:
            found = estimate(curve, push, buyer_spread=buyer_spread, seller_spread=seller_spread)
        except NegativeRadicand as error:
            assert error.bracket is not None
            continue
        true = wasserstein(mu, aggregate, p).value
        assert found.interval is not None
        assert found.interval[0] - 1e-7 <= true <= found.interval[1] + 1e-7
        assert found.mean_gap == pytest.approx(np.linalg.norm(mu.mean - aggregate.mean), abs=1e-7)


@pytest.mark.parametrize("block", range(3))
def test_the_bracket_always_holds_the_solved_estimate(block: int) -> None:
    for seed in range(1000 + 10 * block, 1010 + 10 * block):
        mu, sellers, reference, push = random_case(seed)
        curve, _, _, _ = answered(mu, sellers, reference, push)
        eta = interpolate(mu, reference, push)
        pushed = [interpolate(nu, reference, push) for nu in sellers]
        sizes = [nu.size for nu in sellers]
        stacked = Measure(
            np.concatenate([nu.points for nu in pushed]), np.full(sum(sizes), 1 / sum(sizes))
        )
        solved = wasserstein(eta, stacked).value / (1 - push)
        try:
            bracket = estimate(curve, push).bracket
        except NegativeRadicand:
            continue
        assert bracket is not None
        assert bracket[0] - 1e-7 <= solved <= bracket[1] + 1e-7


def test_a_reference_of_one_point_makes_the_estimate_exact() -> None:
    rng = np.random.default_rng(0)
    mu, nu = gaussian(rng, 30, 4), gaussian(rng, 42, 4, mean=0.5)
    point = Measure(rng.normal(size=(1, 4)))
    curve, buyer_spread, seller_spread, _ = answered(mu, [nu], point, 0.5)
    found = estimate(curve, 0.5, buyer_spread=buyer_spread, seller_spread=seller_spread)
    true = wasserstein(mu, nu).value
    assert found.value == pytest.approx(true, rel=1e-9)
    assert found.interval == pytest.approx((true, true), rel=1e-6)


@pytest.mark.parametrize("p", [1, 2])
def test_raw_data_have_no_blur_and_pushed_data_that_of_both_spreads(p: Power) -> None:
    rng = np.random.default_rng(6)
    mu, nu = gaussian(rng, 10, 2), gaussian(rng, 12, 2, 4.0)
    curve, _, _, _ = answered(mu, [nu], gaussian(rng, 5, 2), 0.2, p)
    raw = estimate(curve, 0.0, buyer_spread=3.0, seller_spread=5.0)
    assert raw.value == curve.distance(0.0)
    assert raw.bracket is not None
    assert raw.interval == pytest.approx(raw.bracket, rel=1e-12)
    pushed = estimate(curve, 0.2, buyer_spread=0.5, seller_spread=0.25)
    blur = 0.2 / 0.8 * 0.75
    gap = pushed.mean_gap
    assert pushed.bracket is not None
    assert gap is not None
    low, high = pushed.bracket
    sharper = low - blur if p == 1 else math.hypot(gap, math.sqrt(low**2 - gap**2) - blur)
    assert pushed.interval == pytest.approx((max(sharper, gap), high + blur), rel=1e-12)
    wide = estimate(curve, 0.2, buyer_spread=50.0, seller_spread=50.0)
    assert wide.interval is not None
    assert wide.interval[0] == pytest.approx(gap, rel=1e-12)


def test_equal_sizes_do_not_make_the_estimate_exact() -> None:
    mu, nu = Measure([[-1, 0.1], [1, -0.1]]), Measure([[-1, -0.1], [1, 0.1]])
    reference = Measure([[0.0, 5.0], [0.0, -5.0]])
    curve, buyer_spread, seller_spread, _ = answered(mu, [nu], reference, 0.5)
    found = estimate(curve, 0.5, buyer_spread=buyer_spread, seller_spread=seller_spread)
    assert wasserstein(mu, nu).value == pytest.approx(0.2)
    assert found.value == pytest.approx(2.0)
    assert found.interval is not None
    assert found.interval[0] <= 0.2 <= found.interval[1]


def test_a_coalition_can_have_an_estimate_far_below_its_distance() -> None:
    buyer, reference = Measure([[1.0, 0.0], [-1.0, 0.0]]), Measure([[5.0, 0.0], [-5.0, 0.0]])
    sellers = [Measure([[6.0, 0.0]]), Measure([[-6.0, 0.0]])]
    together = Measure(np.concatenate([seller.points for seller in sellers]))
    pushed = [interpolate(seller, reference, 0.5).points for seller in sellers]
    found = wasserstein(interpolate(buyer, reference, 0.5), Measure(np.concatenate(pushed))).value
    assert wasserstein(buyer, together).value == pytest.approx(5.0)
    assert found / 0.5 == pytest.approx(0.0, abs=1e-12)


def test_without_the_spreads_nothing_is_claimed_of_the_raw_data() -> None:
    rng = np.random.default_rng(1)
    curve, spread, _, _ = answered(
        gaussian(rng, 10, 2), [gaussian(rng, 12, 2)], gaussian(rng, 5, 2), 0.3
    )
    assert estimate(curve, 0.3).interval is None
    assert estimate(curve, 0.3, buyer_spread=spread).interval is None
    assert estimate(curve, 0.3).bracket is not None


def test_a_larger_spread_never_narrows_the_interval() -> None:
    rng = np.random.default_rng(2)
    curve, spread, other, _ = answered(
        gaussian(rng, 10, 2), [gaussian(rng, 12, 2, 4.0)], gaussian(rng, 5, 2), 0.3
    )
    narrow = estimate(curve, 0.3, buyer_spread=spread, seller_spread=other).interval
    wide = estimate(curve, 0.3, buyer_spread=2 * spread, seller_spread=other).interval
    assert narrow is not None
    assert wide is not None
    assert wide[0] <= narrow[0] <= narrow[1] < wide[1]


@pytest.mark.parametrize("seed", range(12))
def test_one_seller_has_a_sharper_upper_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    mu, nu = weighted(rng, 12, 3), weighted(rng, 17, 3)
    reference = gaussian(rng, 7, 3, std=2.0)
    push = float(rng.uniform(0.05, 0.9))
    buyer, seller = project(mu, reference), project(nu, reference)
    solved = wasserstein(buyer.interpolate(push), seller.interpolate(push)).value / (1 - push)
    images = wasserstein(buyer.interpolate(1), seller.interpolate(1)).value
    bound = one_seller_upper_bound(solved, push, images)
    assert wasserstein(mu, nu).value <= bound * (1 + 1e-9)
    assert bound <= solved


def test_the_gelbrich_bound_is_the_distance_of_normal_laws_and_holds_for_samples() -> None:
    rng = np.random.default_rng(3)
    mu, nu = gaussian(rng, 60, 3), gaussian(rng, 80, 3, 1.0, 2.0)
    covariances = [np.cov(m.points.T, bias=True) for m in (mu, nu)]
    bound = gelbrich_lower_bound(float(np.linalg.norm(mu.mean - nu.mean)), *covariances)
    bures = ot.gaussian.bures_wasserstein_distance(mu.mean, nu.mean, *covariances)
    assert bound == pytest.approx(bures, rel=1e-9)
    assert bound <= wasserstein(mu, nu).value


def test_the_gelbrich_bound_is_reached_by_an_affine_map() -> None:
    rng = np.random.default_rng(4)
    mu = gaussian(rng, 50, 3)
    root = rng.normal(size=(3, 3))
    nu = Measure(mu.points @ (root @ root.T + np.eye(3)) + 1.0)
    covariances = [np.cov(m.points.T, bias=True) for m in (mu, nu)]
    bound = gelbrich_lower_bound(float(np.linalg.norm(mu.mean - nu.mean)), *covariances)
    assert bound == pytest.approx(wasserstein(mu, nu).value, rel=1e-7)


def test_the_gelbrich_bound_holds_for_points_that_do_not_span_the_space() -> None:
    # Two lines at right angles: every covariance is singular.
    rng = np.random.default_rng(5)
    along, across = np.zeros((2, 40, 3))
    along[:, 0], across[:, 1] = rng.normal(size=(2, 40))
    mu, nu = Measure(along), Measure(across)
    covariances = [np.cov(m.points.T, bias=True) for m in (mu, nu)]
    bound = gelbrich_lower_bound(float(np.linalg.norm(mu.mean - nu.mean)), *covariances)
    # ‖x − y‖² = ‖x‖² + ‖y‖² for any two of their points, whatever the plan.
    true = math.sqrt(np.square(along).sum() / 40 + np.square(across).sum() / 40)
    assert wasserstein(mu, nu).value == pytest.approx(true, rel=1e-9)
    assert bound == pytest.approx(true, rel=1e-9)


def test_bounds_of_what_does_not_fit_together_are_refused() -> None:
    with pytest.raises(TransportError, match="shape"):
        gelbrich_lower_bound(0.0, np.eye(2), np.eye(3))
    for shape in ((4,), (2, 3)):
        with pytest.raises(TransportError, match="shape"):
            gelbrich_lower_bound(0.0, np.ones(shape), np.ones(shape))
    for t in (1.0, -0.1):
        with pytest.raises(TransportError, match=r"\[0, 1\)"):
            one_seller_upper_bound(1.0, t, 0.5)
    assert one_seller_upper_bound(1.0, 0.0, 0.5) == 1.0


def test_spreads_of_sellers_add_by_their_shares() -> None:
    assert aggregate_spread({"a": 3.0, "b": 4.0}, {"b": 0.75, "a": 0.25}) == pytest.approx(
        math.sqrt(0.25 * 9 + 0.75 * 16)
    )
    with pytest.raises(TransportError, match="same sellers"):
        aggregate_spread({"a": 3.0}, {"a": 0.5, "b": 0.5})


def test_a_negative_radicand_reaches_the_caller_with_its_bracket() -> None:
    certificates = [Certificate(c, c, 0.0, 0.0, "given", "1", 1) for c in (4.0, 0.5, 0.1)]
    points = tuple(SweepPoint(s, c.primal, c) for s, c in zip(SWEEP, certificates, strict=True))
    with pytest.raises(NegativeRadicand):
        estimate(DistanceCurve(2, points), 0.6)


@pytest.mark.parametrize("t", [-0.1, 1.0, float("nan")])
def test_a_push_without_an_estimate_is_refused(t: float) -> None:
    certificate = Certificate(1.0, 1.0, 0.0, 0.0, "given", "1", 1)
    curve = DistanceCurve(2, tuple(SweepPoint(s, 1.0, certificate) for s in SWEEP))
    with pytest.raises(TransportError, match=r"\[0, 1\)"):
        estimate(curve, t)
    for spread in (-1.0, math.inf, math.nan):
        with pytest.raises(TransportError, match="spread"):
            estimate(curve, 0.3, buyer_spread=spread)

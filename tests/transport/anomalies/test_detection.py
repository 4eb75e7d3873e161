"""Anomalies of dishonest sellers are found, with their evidence; honest sellers have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits

from wassay.transport import Measure, Normal, Reference, interpolate, project
from wassay.transport.anomalies import Finding, SweptBlocks, SweptMeasures, detect_anomalies
from wassay.transport.anomalies.close_points import pairs_that_may_coincide
from wassay.transport.anomalies.coincidences import ProbedPoints

SWEEP = (0.25, 0.5, 0.75)
T0 = 0.37
DIGITS = load_digits().data / 16
Points = NDArray[np.float64]


class Market:
    """A buyer's pushed points, and the contributions that sellers would send for theirs."""

    def __init__(self, needed: Points, size: int = 1) -> None:
        dimension = needed.shape[1]
        self.reference = Reference(size, dimension, Normal(), seed=3).measure()
        self.buyer = interpolate(Measure(needed), self.reference, T0)

    def measures(self, points: ArrayLike, name: str = "a") -> SweptMeasures:
        projection = project(Measure(points), self.reference)
        return SweptMeasures(name, {s: projection.interpolate(s) for s in SWEEP})

    def blocks(self, points: ArrayLike, name: str = "a", p: int = 2) -> SweptBlocks:
        kind = "sqeuclidean" if p == 2 else "euclidean"
        pushed = self.measures(points).measures
        return SweptBlocks(
            name, {s: cdist(each.points, self.buyer.points, kind) for s, each in pushed.items()}
        )

    def found(self, *answers: SweptMeasures | SweptBlocks) -> list[tuple[str, str | None]]:
        return [(each.kind, each.contribution_id) for each in detect_anomalies(self.buyer, answers)]


def gaussians(dimension: int) -> Callable[[np.random.Generator, int], Points]:
    return lambda random, n: random.normal(size=(n, dimension))


def clustered(random: np.random.Generator, n: int) -> Points:
    centres = np.random.default_rng(9).normal(size=(10, 5))
    return centres[random.integers(0, 10, n)] + 0.01 * random.normal(size=(n, 5))


KINDS: Mapping[str, Callable[[np.random.Generator, int], Points]] = {
    **{f"gaussian-{d}": gaussians(d) for d in (1, 2, 3, 8, 64)},
    "cauchy": lambda random, n: random.standard_cauchy(size=(n, 2)),
    "uniform": lambda random, n: random.uniform(size=(n, 2)),
    "clusters": clustered,
    "digits": lambda random, n: random.permutation(DIGITS)[:n],
    "few-values": lambda random, n: random.integers(0, 6, size=(n, 3)).astype(float),
    "many-values": lambda random, n: random.integers(0, 12, size=(n, 4)).astype(float),
    "categories": lambda random, n: np.eye(10)[random.integers(0, 10, size=n)],
}


@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_honest_sellers_of_the_same_distribution_have_no_findings(kind: str, size: int) -> None:
    for seed in range(3):
        random = np.random.default_rng(seed)
        counts = [int(random.integers(5, 150)), *map(int, random.integers(2, 400, 4))]
        data = KINDS[kind](random, sum(counts))
        needed, *offered = np.split(data, np.cumsum(counts)[:-1])
        market = Market(needed, size)
        answers = [market.measures(points, str(place)) for place, points in enumerate(offered[:2])]
        blocks = [market.blocks(points, f"b{place}") for place, points in enumerate(offered[2:])]
        assert market.found(*answers, *blocks) == []


def test_honest_sellers_of_other_distributions_have_no_findings() -> None:
    random = np.random.default_rng(1)
    market = Market(random.normal(size=(40, 2)))
    others = {
        "wide": 1000 * random.normal(size=(30, 2)),
        "narrow": 1e-3 * random.normal(size=(30, 2)),
        "many": random.normal(size=(3000, 2)),
        "one": np.zeros((1, 2)),
        "two": np.array([[0.0, 0.0], [1000.0, 0.0]]),
        "one-near": np.vstack([np.zeros((1, 2)), 1000 * random.normal(size=(5, 2))]),
    }
    assert market.found(*(market.measures(points, name) for name, points in others.items())) == []


def test_honest_blocks_of_float32_and_of_distances_have_no_findings() -> None:
    random = np.random.default_rng(2)
    market = Market(random.normal(size=(30, 64)))
    honest = market.blocks(random.normal(size=(40, 64))).blocks
    rough = SweptBlocks("a", {s: block.astype(np.float32) for s, block in honest.items()})
    assert market.found(rough) == []
    assert (
        detect_anomalies(market.buyer, [market.blocks(random.normal(size=(40, 64)), p=1)], 1) == []
    )


@pytest.fixture(params=["gaussian-2", "gaussian-8", "digits"])
def case(request: pytest.FixtureRequest) -> tuple[Market, Points, Points]:
    """A market, the buyer's raw points, and as many points of an honest seller."""
    data = KINDS[request.param](np.random.default_rng(4), 240)
    return Market(data[:120]), data[:120], data[120:]


def test_copies_of_the_buyers_points_are_detected_at_an_undisclosed_push(
    case: tuple[Market, Points, Points],
) -> None:
    market, needed, own = case
    random = np.random.default_rng(5)
    cheats: dict[str, SweptMeasures | SweptBlocks] = {
        "all, in another order": market.measures(random.permutation(needed)),
        "all, a little moved": market.measures(needed + 1e-4 * random.normal(size=needed.shape)),
        "half, among others": market.measures(np.vstack([own[:60], needed[:60]])),
        "by cost blocks": market.blocks(needed),
        "as downloaded": SweptMeasures("a", dict.fromkeys(SWEEP, market.buyer)),
    }
    for name, cheat in cheats.items():
        (finding,) = detect_anomalies(market.buyer, [cheat, market.measures(own[60:], "b")])
        assert (finding.kind, finding.contribution_id) == ("copies-buyer", "a"), name
        assert finding.examined == 120
        assert finding.found >= 50
        assert finding.chance is not None
        assert finding.chance < 1e-6


def test_copies_of_another_seller_are_detected_in_any_permutation_subset_and_mode(
    case: tuple[Market, Points, Points],
) -> None:
    market, _, own = case
    mixed = np.random.default_rng(6).permutation(own)
    for replay in (
        market.measures(own, "b"),
        market.measures(mixed, "b"),
        market.measures(mixed[:60], "b"),
        market.blocks(mixed, "b"),
    ):
        (finding,) = detect_anomalies(market.buyer, [market.measures(own), replay])
        assert finding.kind == "copies-seller"
        assert {finding.contribution_id, finding.other_contribution_id} == {"a", "b"}
        assert finding.found == finding.examined


def test_rotated_copies_of_another_seller_are_detected(
    case: tuple[Market, Points, Points],
) -> None:
    market, _, own = case
    random = np.random.default_rng(7)
    turn, _ = np.linalg.qr(random.normal(size=(own.shape[1],) * 2))
    moved = random.permutation(own) @ turn + 3
    assert market.found(market.measures(own), market.measures(moved, "b")) == [
        ("congruent-sellers", "a")
    ]


@pytest.mark.parametrize("times", [2, 5, 40])
def test_repeated_points_are_detected(case: tuple[Market, Points, Points], times: int) -> None:
    market, _, own = case
    random = np.random.default_rng(8)
    again = np.repeat(own, times, axis=0)
    assert market.found(market.measures(again)) == [("repeats-points", "a")]
    moved = again + 1e-5 * random.normal(size=again.shape)
    if times <= 16:  # with more neighbours, only equal points are told apart from dense data
        assert market.found(market.measures(moved)) == [("repeats-points", "a")]
    partly = np.vstack([own, own[:40]])
    assert market.found(market.measures(partly)) == [("repeats-points", "a")]


def forged(
    blocks: Mapping[float, NDArray[np.floating]], change: Callable[[float, Points], Points]
) -> SweptBlocks:
    return SweptBlocks("a", {s: change(s, block.astype(float)) for s, block in blocks.items()})


def one_row_nearer(s: float, block: Points) -> Points:
    block[7] *= 0.5
    return block


FORGERIES: Mapping[str, Callable[[float, Points], Points]] = {
    "all one per cent nearer": lambda _, block: 0.99 * block,
    "nearer at one s": lambda s, block: block * (0.9 if s == 0.5 else 1),
    "a constant less": lambda _, block: np.maximum(block - 0.2 * block.mean(), 0),
    "made up": lambda s, block: np.random.default_rng(int(4 * s)).uniform(1, 2, block.shape),
    "the buyer in another order": lambda _, block: block[:, ::-1],
    "one row": one_row_nearer,
}


@pytest.mark.parametrize("name", FORGERIES)
def test_cost_blocks_that_no_points_have_are_detected(
    case: tuple[Market, Points, Points], name: str
) -> None:
    market, _, own = case
    honest = market.blocks(own).blocks
    (finding,) = [
        each
        for each in detect_anomalies(market.buyer, [forged(honest, FORGERIES[name])])
        if each.kind == "impossible-contribution"
    ]
    assert finding.examined == 120
    assert finding.found == (1 if name == "one row" else 120)
    assert finding.misfit is not None
    assert finding.misfit > 1e-5


def test_points_that_leave_their_line_in_s_are_detected() -> None:
    random = np.random.default_rng(10)
    market = Market(random.normal(size=(40, 3)))
    shapes = [random.normal(size=(50, 3)) for _ in SWEEP]
    blocks = {
        s: cdist(points, market.buyer.points, "sqeuclidean")
        for s, points in zip(SWEEP, shapes, strict=True)
    }
    assert market.found(SweptBlocks("a", blocks)) == [("impossible-contribution", "a")]
    measures = {s: Measure(points) for s, points in zip(SWEEP, shapes, strict=True)}
    assert market.found(SweptMeasures("a", measures)) == [("impossible-contribution", "a")]


def test_schoenbergs_criterion_agrees_on_single_rows() -> None:
    # A row is possible if, and only if, the doubly centred Gram matrix of the buyer's points and
    # the new one has no negative eigenvalue, and at most rank d.
    random = np.random.default_rng(11)
    market = Market(random.normal(size=(12, 3)))
    places = market.buyer.points
    for scale in (1.0, 0.9, 1.1):
        pushed = market.measures(random.normal(size=(1, 3))).measures
        rows = {s: scale * cdist(each.points, places, "sqeuclidean") for s, each in pushed.items()}
        squared = np.zeros((13, 13))
        squared[:12, :12] = cdist(places, places, "sqeuclidean")
        squared[12, :12] = squared[:12, 12] = rows[0.5][0]
        centring = np.eye(13) - 1 / 13
        eigenvalues = np.linalg.eigvalsh(-centring @ squared @ centring / 2)
        possible = eigenvalues[0] > -1e-9 and eigenvalues[-4] < 1e-9
        assert possible == (scale == 1.0)
        assert (market.found(SweptBlocks("a", rows)) == []) == possible


def test_only_an_understated_spread_is_a_finding() -> None:
    random = np.random.default_rng(13)
    market = Market(random.normal(size=(40, 3)), 5)
    points = random.normal(size=(50, 3))
    spread = project(Measure(points), market.reference).spread
    swept = market.measures(points).measures
    rounded = {s: Measure(each.points.astype(np.float32)) for s, each in swept.items()}
    for stated in (None, spread, 2 * spread):
        assert market.found(SweptMeasures("a", swept, stated)) == []
        assert market.found(SweptMeasures("a", rounded, stated)) == []
    (finding,) = detect_anomalies(market.buyer, [SweptMeasures("a", swept, 0.9 * spread)])
    assert finding.kind == "understated-spread"
    assert finding.misfit == pytest.approx(0.1)


@pytest.mark.parametrize("mode", ["measure", "cost-block"])
def test_weightless_points_are_detected(mode: str) -> None:
    random = np.random.default_rng(17)
    market = Market(random.normal(size=(30, 3)))
    swept = market.measures(random.normal(size=(60, 3))).measures
    for weights, found in (
        (random.uniform(1, 3, 60), 0),
        (np.repeat([1.0, 1e-9], [20, 40]), 40),
        (np.repeat([1.0, 0.0], [20, 40]), 40),
    ):
        shares = weights / weights.sum()
        weighted = {s: Measure(each.points, shares) for s, each in swept.items()}
        costs = {s: cdist(each.points, market.buyer.points) ** 2 for s, each in swept.items()}
        answer = (
            SweptMeasures("a", weighted) if mode == "measure" else SweptBlocks("a", costs, shares)
        )
        told = [(each.kind, each.found) for each in detect_anomalies(market.buyer, [answer])]
        assert told == ([("weightless-points", found)] if found else [])


def test_too_many_sellers_to_compare_are_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(12)
    market = Market(random.normal(size=(20, 2)))
    answers = [market.measures(random.normal(size=(20, 2)), str(place)) for place in range(3)]
    monkeypatch.setattr("wassay.transport.anomalies.copies_among_sellers.MAX_PAIRS", 100)
    assert detect_anomalies(market.buyer, answers) == [
        Finding("not-examined", None, examined=0, found=0)
    ]


@pytest.mark.parametrize("at_once", [2**20, 50, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_only_pairs_of_sellers_without_coincident_points_are_not_compared(
    monkeypatch: pytest.MonkeyPatch, kind: str, at_once: int
) -> None:
    monkeypatch.setattr("wassay.transport.anomalies.close_points._AT_ONCE", at_once)
    random = np.random.default_rng(13)
    points = KINDS[kind](random, 200)
    sizes = random.integers(1, 13, size=25)
    sellers = [points[random.integers(0, len(points), size)] for size in sizes]  # some are copies
    distances = [cdist(seller, points[:32], "sqeuclidean") for seller in sellers]
    compared = pairs_that_may_coincide(distances)
    coincident = {
        (min(i, j), max(i, j))
        for i, one in enumerate(distances)
        for j, other in enumerate(distances)
        if i != j and ProbedPoints(one, np.arange(len(one))).coincidences(other).found
    }
    assert coincident
    assert compared is not None
    assert coincident <= compared


def test_copies_among_many_small_sellers_are_the_same_findings_as_if_all_pairs_were_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(14)
    market = Market(random.normal(size=(60, 4)))
    offers = [random.normal(size=(random.integers(9, 15), 4)) for _ in range(40)]
    offers[7] = np.concatenate([offers[3], offers[7]])
    offers[21] = offers[5] @ np.linalg.qr(random.normal(size=(4, 4)))[0]
    answers = [market.measures(points, str(place)) for place, points in enumerate(offers)]

    def findings() -> list[Finding]:
        return detect_anomalies(market.buyer, answers, random=np.random.default_rng(15))

    found = findings()
    monkeypatch.setattr("wassay.transport.anomalies.copies_among_sellers._MOST_POINTS", 0)
    assert findings() == found
    assert {each.kind for each in found} == {"copies-seller", "congruent-sellers"}


def test_among_a_thousand_sellers_the_one_who_copied_is_found() -> None:
    random = np.random.default_rng(16)
    market = Market(random.normal(size=(100, 6)))
    offers = [random.normal(size=(24, 6)) for _ in range(1000)]
    offers[700][:14] = offers[3][5:19]
    offers[20] = offers[10] @ np.linalg.qr(random.normal(size=(6, 6)))[0]
    answers = [market.measures(points, str(place)) for place, points in enumerate(offers)]
    found = {
        (each.kind, each.contribution_id, each.other_contribution_id)
        for each in detect_anomalies(market.buyer, answers)
    }
    assert found == {("copies-seller", "3", "700"), ("congruent-sellers", "10", "20")}


def test_a_thousand_sellers_of_equal_points_are_too_many_to_compare() -> None:
    market = Market(np.random.default_rng(18).normal(size=(100, 2)))
    answers = [market.measures(np.ones((24, 2)), str(place)) for place in range(1000)]
    kinds = {each.kind for each in detect_anomalies(market.buyer, answers)}
    assert "not-examined" in kinds
    assert "copies-seller" not in kinds


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9])
def test_one_record_far_away_does_not_make_the_others_look_like_copies(far: float) -> None:
    random = np.random.default_rng(19)
    market = Market(random.normal(size=(300, 3)))
    points = [random.normal(size=(60, 3)) for _ in range(3)]
    points[0][11, 0] = far
    points[1][5, 1] = -far
    answers = [market.measures(each, str(place)) for place, each in enumerate(points)]
    assert detect_anomalies(market.buyer, answers) == []


def test_sellers_of_tight_clusters_do_not_repeat_points_more_than_the_buyer_does() -> None:
    random = np.random.default_rng(20)
    centres = random.normal(size=(10, 2))

    def drawn(count: int) -> Points:
        return centres[random.integers(0, 10, count)] + 0.001 * random.normal(size=(count, 2))

    market = Market(drawn(300))
    answers = [market.measures(drawn(size), str(size)) for size in (20, 50, 200)]
    assert detect_anomalies(market.buyer, answers) == []


def test_rounding_of_distances_does_not_make_copies_of_one_pushed_record() -> None:
    random = np.random.default_rng(21)
    away = 1e4  # from the reference
    needed = away + random.normal(size=(300, 1))
    needed[3] = 20 * away
    market = Market(needed)
    for place in range(20):
        points = away + random.normal(size=(50, 1))
        points[7] = 10 ** random.uniform(4.5, 7)
        assert market.found(market.measures(points, str(place))) == []


def test_a_few_records_and_one_far_away_are_not_repetitions() -> None:
    random = np.random.default_rng(22)
    market = Market(random.normal(size=(300, 3)))
    points = random.normal(size=(12, 3))
    points[4] = 1e5
    assert market.found(market.measures(points)) == []

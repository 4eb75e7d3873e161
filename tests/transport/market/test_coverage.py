"""Coverage of the buyer's points: from pushed points, compared with that from raw points."""

import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from scipy.integrate import quad
from scipy.spatial import cKDTree

from wassay.transport import Measure, SweptCoverage, swept_coverage
from wassay.transport.market.coverage import FEWEST, NEIGHBOURS, PAIRS, expected_coverage

Floats = NDArray[np.float64]
T0 = 0.42
SIZES = [30, 40, 60]


def covered(needed: Floats, offered: Floats) -> NDArray[np.bool_]:
    """Return which raw points are covered, by two k-d trees."""
    radius = cKDTree(needed).query(needed, k=NEIGHBOURS + 1)[0][:, -1]
    nearest = cKDTree(offered).query(needed, k=FEWEST)[0][:, -1]
    return np.asarray(nearest <= radius)


def swept(needed: Floats, offered: dict[str, Floats], seed: int = 0) -> SweptCoverage | None:
    """Return coverage by points that are pushed towards a reference far outside of the data."""
    random = np.random.default_rng(seed)
    reference = random.normal(size=needed.shape[1])
    reference *= 2 * np.linalg.norm(needed, axis=1).max() / np.linalg.norm(reference)
    return swept_coverage(
        Measure((1 - T0) * needed + T0 * reference),
        {
            name: {s: Measure((1 - s) * points + s * reference) for s in (0.25, 0.5, 0.75)}
            for name, points in offered.items()
        },
        seed,
    )


def at_t0(found: SweptCoverage | None, *group: str) -> float:
    assert found is not None
    logarithms = np.log1p(-np.array(found.sweep))[::-1]
    return float(np.interp(np.log1p(-T0), logarithms, found.shares[group][::-1]))


def needs() -> tuple[Floats, dict[str, Floats]]:
    """Draw a buyer's three kinds of points, and sellers of one, of two, and of a fourth kind."""
    random = np.random.default_rng(4)
    kinds = [random.normal(5 * axis, 1.0, size=(300, 4)) for axis in np.eye(4)]
    needed = np.concatenate([kind[:100] for kind in kinds[:3]])
    rest = [kind[100:200] for kind in kinds]
    return needed, {"one": rest[0], "two": np.concatenate(rest[1:3]), "other": rest[3]}


def test_coverage_at_t0_is_that_of_the_raw_points() -> None:
    needed, offered = needs()
    found = swept(needed, offered)
    for name, points in offered.items():
        assert at_t0(found, name) == pytest.approx(covered(needed, points).mean(), abs=0.02)
    both = covered(needed, offered["one"]) | covered(needed, offered["two"])
    assert at_t0(found, "one", "two") == pytest.approx(both.mean(), abs=0.02)
    assert at_t0(found, "one") == pytest.approx(1 / 3, abs=0.05)
    assert at_t0(found, "other") < 0.05
    assert at_t0(found, "one", "two") > 0.9


def test_a_group_covers_what_any_of_its_sellers_covers() -> None:
    found = swept(*needs())
    assert found is not None
    for group, shares in found.shares.items():
        alone = np.array([found.shares[(name,)] for name in group])
        assert (np.array(shares) >= alone.max(axis=0) - 1e-12).all()
        assert (np.array(shares) <= alone.sum(axis=0) + 1e-12).all()
    assert len(found.shares) == 7


@pytest.mark.parametrize("shift", [0.0, 1.0])
@pytest.mark.parametrize("d", [1, 3, 12])
def test_coverage_by_one_population_or_a_shifted_one_is_that_of_the_raw_points(
    shift: float, d: int
) -> None:
    random = np.random.default_rng(d)
    needed, offered = random.normal(size=(200, d)), random.normal(shift, 1, size=(150, d))
    found = swept(needed, {"a": offered})
    assert at_t0(found, "a") == pytest.approx(covered(needed, offered).mean(), abs=0.08)


def test_expected_coverage_is_that_of_samples_of_one_population() -> None:
    random = np.random.default_rng(0)
    drawn = [
        covered(random.normal(size=(80, 2)), random.normal(size=(60, 2))).mean() for _ in range(60)
    ]
    assert expected_coverage(80, [60]) == pytest.approx(np.mean(drawn), abs=0.02)
    found = swept(random.normal(size=(80, 2)), {"a": random.normal(size=(60, 2))})
    assert found is not None
    assert found.expected == {("a",): expected_coverage(80, [60])}


def test_expected_coverage_of_a_group_is_that_of_a_sample_of_each_member() -> None:
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(60):
        needed = random.normal(size=(80, 3))
        members = [covered(needed, random.normal(size=(size, 3))) for size in SIZES]
        drawn.append(np.any(members, axis=0).mean())
    assert expected_coverage(80, SIZES) == pytest.approx(np.mean(drawn), abs=0.02)
    offered = {name: random.normal(size=(size, 3)) for name, size in zip("abc", SIZES, strict=True)}
    found = swept(random.normal(size=(80, 3)), offered)
    assert found is not None
    assert found.expected["a", "b", "c"] == expected_coverage(80, SIZES)
    assert found.expected["a", "c"] == expected_coverage(80, [SIZES[0], SIZES[2]])


@pytest.mark.parametrize("offered", [[60], [60, 20], SIZES, [50] * 40])
def test_expected_coverage_is_the_integral_over_the_mass_of_the_ball(offered: list[int]) -> None:
    mass = stats.beta(NEIGHBOURS, 300 - NEIGHBOURS)

    def missed(u: float) -> float:
        return float(mass.pdf(u) * np.prod(stats.binom.cdf(FEWEST - 1, offered, u)))

    expected = 1 - quad(missed, 0, 1, points=[0.03])[0]
    assert expected_coverage(300, offered) == pytest.approx(expected, abs=1e-9)


def test_a_single_record_covers_nothing() -> None:
    needed = np.random.default_rng(0).normal(size=(60, 3))
    far = needed[:40] + 100.0
    without = swept(needed, {"a": far})
    withit = swept(needed, {"a": np.concatenate([far, needed[:1], needed[:1]])})
    assert at_t0(without, "a") == at_t0(withit, "a") == 0.0


def test_points_of_little_weight_do_not_count() -> None:
    needed = np.random.default_rng(0).normal(size=(60, 3))
    weights = np.r_[np.ones(30), np.full(60, 1e-9)]
    offered = np.concatenate([needed[:30] + 100.0, needed])
    pushed = {s: Measure((1 - s) * offered + s * 9.0, weights / weights.sum()) for s in (0.2, 0.8)}
    found = swept_coverage(Measure(0.5 * needed + 4.5), {"a": pushed}, 0)
    assert found is not None
    assert max(found.shares["a",]) < 0.2


@pytest.mark.parametrize(("needed", "offered"), [(19, 30), (30, 19)])
def test_few_points_have_no_coverage(needed: int, offered: int) -> None:
    random = np.random.default_rng(0)
    assert swept(random.normal(size=(needed, 2)), {"a": random.normal(size=(offered, 2))}) is None


def test_of_many_pairs_points_of_the_buyer_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    needed, offered = needs()
    whole = swept(needed, offered)
    monkeypatch.setattr("wassay.transport.market.coverage.PAIRS", 150 * 400)
    part = swept(needed, offered)
    assert whole is not None
    assert part is not None
    assert (whole.examined, part.examined) == (300, 150)
    assert at_t0(part, "two") == pytest.approx(at_t0(whole, "two"), abs=0.15)


def test_of_a_large_buyer_a_sample_is_examined_within_the_memory_of_a_few_blocks() -> None:
    random = np.random.default_rng(0)
    needed, offered = random.normal(size=(9000, 3)), random.normal(size=(60, 3))
    tracemalloc.start()
    try:
        found = swept(needed, {"a": offered})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found is not None
    assert found.examined == PAIRS // 9000
    assert peak < 100e6  # all distances between the examined points and the others take 160 MB
    exact = covered(needed, offered).mean()
    assert at_t0(found, "a") == pytest.approx(exact, abs=4 * np.sqrt(exact / found.examined))

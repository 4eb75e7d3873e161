"""Fingerprints of measures: alike for nearly the same measure, and different for others."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ks_2samp, special_ortho_group

from app.arrays import npy
from app.requests.bulk import mean_of_bulk
from app.requests.fingerprint import (
    NEAR_DUPLICATE_STATISTIC,
    Fingerprint,
    are_near_duplicates,
    fingerprint,
)
from app.requests.rows_with_mass import RowsWithMass

Look = Callable[..., Fingerprint]
Population = Callable[[int, int], NDArray[np.float64]]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    def look(
        points: NDArray[np.float64], weights: NDArray[np.float64] | None = None
    ) -> Fingerprint:
        file = tmp_path / "measure.npy"
        rows = points if weights is None else np.column_stack([points, weights])
        file.write_bytes(npy.to_bytes(np.ascontiguousarray(rows)))
        return fingerprint(file, weighted=weights is not None)

    return look


@pytest.fixture
def population(random: np.random.Generator) -> Population:
    """A function that draws samples of one population."""

    def population(m: int, d: int) -> NDArray[np.float64]:
        return random.normal(size=(m, d)) * np.linspace(1, 3, d) + random.exponential(size=(m, d))

    return population


@pytest.mark.parametrize(("m", "d"), [(40, 1), (200, 5), (5000, 20)])
def test_an_isometry_a_push_and_the_order_of_rows_change_nothing(
    look: Look, m: int, d: int, population: Population, random: np.random.Generator
) -> None:
    points = population(m, d)
    turn = special_ortho_group.rvs(d, random_state=3) if d > 1 else -np.eye(1)
    pushed = 0.65 * points[random.permutation(m)] @ turn + random.normal(size=d) * 100

    seen, again = look(points), look(pushed)

    np.testing.assert_allclose(seen.radii, again.radii, rtol=1e-9, atol=1e-9)
    assert seen.uniform
    assert abs(seen.effective_support - again.effective_support) <= 0.05 * m
    assert are_near_duplicates(seen, again)


@pytest.mark.parametrize(("m", "d"), [(300, 2), (300, 30), (5000, 5)])
def test_one_replaced_or_added_point_leaves_measures_alike(
    look: Look, m: int, d: int, population: Population
) -> None:
    points = population(m, d)
    replaced = points.copy()
    replaced[0] = population(1, d)[0]

    assert are_near_duplicates(look(points), look(replaced))
    assert are_near_duplicates(look(points), look(points[1:]))
    assert are_near_duplicates(look(points), look(np.repeat(points, 3, axis=0)))


@pytest.mark.parametrize(("m", "d"), [(1000, 2), (1000, 30), (5000, 5)])
@pytest.mark.parametrize("far", [10.0, 1e6])
def test_a_point_far_away_does_not_make_another_measure(
    look: Look, m: int, d: int, far: float, population: Population
) -> None:
    points = population(m, d)
    disguised = points.copy()
    disguised[0] += far * points.std()
    assert are_near_duplicates(look(points), look(disguised))
    assert are_near_duplicates(look(points), look(np.vstack([points, disguised[:1]])))


def test_nearly_all_at_one_place_is_still_a_measure(look: Look, population: Population) -> None:
    points = np.zeros((100, 2))
    points[:4] = population(4, 2)
    assert look(points).effective_support == 1
    assert are_near_duplicates(look(points), look(points + 3.0))


@pytest.mark.parametrize(("m", "d"), [(50, 2), (300, 30), (3000, 5)])
def test_samples_of_one_population_are_hardly_ever_alike(
    look: Look, m: int, d: int, population: Population
) -> None:
    seen = [look(population(m, d)) for _ in range(60)]
    pairs = [(one, other) for place, one in enumerate(seen) for other in seen[:place]]
    assert sum(are_near_duplicates(*pair) for pair in pairs) <= 0.01 * len(pairs)


def about_its_bulk(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return distances from the bulk's mean, divided by the bulk's root mean square distance."""
    bulk = points
    for _ in range(3):
        radii = np.linalg.norm(points - bulk.mean(0), axis=1)
        is_bulk = radii <= np.quantile(radii, 0.9)
        bulk = points[is_bulk]
    relative: NDArray[np.float64] = radii / np.sqrt(np.mean(radii[is_bulk] ** 2))
    return relative


def test_the_statistic_is_kolmogorovs(look: Look, population: Population) -> None:
    for shift in (0.0, 0.05, 0.1, 0.2, 0.4):
        one, other = population(400, 4), population(500, 4)
        other = np.sign(other) * np.abs(other) ** (1 + shift)
        radii = [about_its_bulk(each) for each in (one, other)]
        statistic = ks_2samp(*radii).statistic * np.sqrt(400 * 500 / 900)
        if abs(statistic - NEAR_DUPLICATE_STATISTIC) > 0.1:
            assert are_near_duplicates(look(one), look(other)) == (
                statistic < NEAR_DUPLICATE_STATISTIC
            )


@pytest.mark.parametrize("far", [0.0, 1e3, 1e9, 1e70])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_bulk_is_the_one_that_rereading_all_points_finds(
    far: float, order: Literal["C", "F"], population: Population, random: np.random.Generator
) -> None:
    points, weights = population(3000, 3), random.exponential(size=3000)
    points[:200] += far
    points[200:300] += np.sqrt(far)
    weights /= weights.sum()
    shares = weights
    for _ in range(6):
        mean = shares @ points / shares.sum()
        radii = np.linalg.norm(points - mean, axis=1)
        order_of_radii = np.argsort(radii)
        middles = np.cumsum(weights[order_of_radii]) - weights[order_of_radii] / 2
        edge = np.interp(0.9, middles, radii[order_of_radii])
        shares = np.where(radii <= edge * (1 + 1e-9), weights, 0.0)
    rows = RowsWithMass(np.asarray(points, order=order), np.arange(3000))
    np.testing.assert_allclose(mean_of_bulk(rows, weights), mean, rtol=1e-9)


def test_distinct_points_are_counted_and_not_rows(
    look: Look, population: Population, random: np.random.Generator
) -> None:
    two = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, -1.0]])
    many = np.repeat(two, 50, axis=0)
    assert look(many).effective_support == 2
    assert look(many + random.normal(scale=1e-7, size=many.shape)).effective_support <= 4
    assert (
        look(two[:1]).effective_support
        == look(np.repeat(two[:1], 9, axis=0)).effective_support
        == 1
    )
    assert look(population(1000, 1)).effective_support > 700
    assert look(population(1000, 40)).effective_support == 1000
    weights = np.full(100, 1e-12)
    weights[[3, 7]] = (1 - 98e-12) / 2
    seen = look(population(100, 3), weights)
    assert not seen.uniform
    assert seen.effective_support == 2
    weights = np.zeros(100)
    weights[[3, 7]] = 0.5
    assert look(population(100, 3), weights).effective_support == 2
    assert look(population(4, 3), np.full(4, 0.25)).uniform


def test_labels_are_no_coordinates(tmp_path: Path) -> None:
    at_one_place = np.column_stack([np.ones((40, 3)), np.arange(40.0)]).astype(np.float64)
    file = tmp_path / "labelled.npy"
    file.write_bytes(npy.to_bytes(at_one_place))
    assert fingerprint(file, weighted=False, labelled=True).effective_support == 1

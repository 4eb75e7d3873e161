"""Rows are divided by a category that another field tells, and by a field that two others tell."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_mutual_info_score

from tests.transport.inversion.records import haar, structureless
from tests.transport.inversion.test_emptiest_cuts import service_of, share_right
from wassay import Recipe
from wassay.audit import DisclosureClass
from wassay.transport import Measure, RandomProjection
from wassay.transport.inversion import least_gaussian_components, separate_groups
from wassay.transport.inversion.separate_groups import _quantile

Table = NDArray[np.float64]
Labels = NDArray[np.intp]

pytestmark = pytest.mark.filterwarnings("ignore:.* follows from")


def patients(random: np.random.Generator, rows: int) -> dict[str, Table]:
    return {
        "age": random.integers(18, 90, rows).astype(float),
        "bmi": random.normal(26, 4, rows).round(1),
        "pressure": random.normal(130, 15, rows).round(),
    }


def countries(rows: int, count: int) -> pd.DataFrame:
    """Draw countries and currencies, which correspond in all rows but four."""
    random = np.random.default_rng(0)
    country = random.integers(0, count, rows)
    currency = country.copy()
    currency[:4] = (country[:4] + 1) % count
    names = {
        "country": [f"c{each}" for each in country],
        "currency": [f"u{each}" for each in currency],
    }
    return pd.DataFrame({**patients(random, rows), **names})


def matches(rows: int) -> pd.DataFrame:
    """Draw matches: where each was, who won it, and whether the home team won, which follows."""
    random = np.random.default_rng(1)
    home, won = random.random((2, rows)) < 0.5
    outcomes = {"home": home, "won": won, "home_won": home == won}
    return pd.DataFrame({**patients(random, rows), **outcomes})


def clusters(points: Table, count: int) -> Labels:
    """Cluster whitened points by k-means, then again along the directions between their means."""
    centred = points - points.mean(axis=0)
    white = np.linalg.svd(centred, full_matrices=False)[0] * np.sqrt(len(points))
    labels = KMeans(count, n_init=20, random_state=0).fit(white).labels_
    for _ in range(8):
        means = np.stack([white[labels == each].mean(axis=0) for each in range(count)])
        axes = np.linalg.svd(means, full_matrices=False)[2][: count - 1]
        labels = KMeans(count, n_init=5, random_state=0).fit(white @ axes.T).labels_
    return np.asarray(labels, dtype=np.intp)


def turned_points_of(table: pd.DataFrame) -> tuple[Table, Table]:
    points = Recipe.fit(table, seed=1).apply(table).points
    return points, points @ haar(np.random.default_rng(0), points.shape[1])


def test_k_means_finds_countries_that_currencies_tell_too_and_the_audit_names_both() -> None:
    table = countries(600, 4)
    points, turned = turned_points_of(table)
    labels = clusters(turned, 4)
    country = pd.factorize(table["country"], sort=True)[0]
    right = max((np.array(names)[labels] == country).mean() for names in permutations(range(4)))
    assert right > 0.95

    service = service_of(points, table)
    assert service.disclosure_class.reveals_more_than(DisclosureClass.UP_TO_ISOMETRY)
    assert set(service.columns.fields) == {"country", "currency"}


def test_k_means_finds_what_any_two_of_three_fields_tell_and_the_audit_names_all_three() -> None:
    table = matches(600)
    points, turned = turned_points_of(table)
    labels = clusters(turned, 4)
    for name in ("home", "won", "home_won"):
        sides = (np.isin(labels, [0, each]) for each in (1, 2, 3))
        assert max(share_right(side, table[name].to_numpy()) for side in sides) > 0.95

    service = service_of(points, table)
    assert service.disclosure_class.reveals_more_than(DisclosureClass.UP_TO_ISOMETRY)
    assert set(service.columns.fields) == {"home", "won", "home_won"}


def test_without_the_table_the_audit_says_how_many_rows_each_of_several_groups_has() -> None:
    table = countries(600, 3)
    points = Recipe.fit(table, seed=1).apply(table).points
    reasons = [each.why for each in service_of(points).columns.combinations]
    (why,) = [each for each in reasons if each.startswith("rows separate into groups of")]
    sizes = [int(word.strip(",")) for word in why.split("(")[0].split() if word[0].isdigit()]
    counts = sorted(table["country"].value_counts())
    assert len(sizes) == 3
    assert np.abs(np.subtract(sizes, counts)).max() <= 12


@pytest.mark.parametrize("seed", range(3))
def test_groups_that_chance_makes_read_no_column(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(60, 2))
    assert service_of(points).disclosure_class is DisclosureClass.UP_TO_ISOMETRY


def test_a_partition_divides_rows_in_every_way_its_groups_allow() -> None:
    random = np.random.default_rng(0)
    group = random.integers(0, 4, 400)
    points = 14 * np.eye(4)[group, :3] + random.normal(size=(400, 3))
    (partition, *_) = separate_groups(points, points)
    assert partition.sizes == tuple(sorted(np.bincount(group).tolist()))
    sides = {tuple(side) for side in (partition.divisions > 0).T}
    assert len(sides) == 7  # one group of four, alone or with one or two others
    for members in ([0], [1], [2], [3], [0, 1], [0, 2], [0, 3]):
        holds = np.isin(group, members)
        assert tuple(holds) in sides or tuple(~holds) in sides


def test_rows_at_few_distinct_places_are_groups_without_any_row_between() -> None:
    places = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
    points = np.repeat(places, 25, axis=0)
    (clearest, *_) = separate_groups(points, points)
    assert clearest.sizes == (25, 25, 25, 25)
    assert clearest.beyond_chance


@pytest.mark.parametrize("kind", ["normal", "uniform", "skewed", "dependent", "long tails"])
@pytest.mark.parametrize(("rows", "columns"), [(51, 8), (200, 3)])
def test_clouds_without_groups_show_no_several(kind: str, rows: int, columns: int) -> None:
    for seed in range(2):
        cloud = structureless(kind, rows, columns, seed)
        partitions = separate_groups(cloud, least_gaussian_components(cloud))
        assert not any(each.beyond_chance for each in partitions)


def test_groups_of_digits_are_found_in_their_projections_whatever_rotates_them() -> None:
    digits = load_digits()
    projection = RandomProjection(64, 16, bytes(32))
    projected = projection.apply(Measure(digits.data[:300] / 16)).points
    for seed in range(3):
        turned = projected @ haar(np.random.default_rng(seed), 16)
        partitions = separate_groups(turned, least_gaussian_components(turned))
        agreement = [
            adjusted_mutual_info_score(digits.target[:300], each.labels)
            for each in partitions
            if each.beyond_chance
        ]
        assert max(agreement, default=0.0) > 0.4


@pytest.mark.parametrize("seed", range(3))
def test_a_ball_with_few_rows_for_each_dimension_shows_no_groups(seed: int) -> None:
    random = np.random.default_rng(seed)
    directions = random.normal(size=(200, 16))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    ball = directions * random.random((200, 1)) ** (1 / 16)
    partitions = separate_groups(ball, least_gaussian_components(ball))
    assert not any(each.beyond_chance for each in partitions)


def test_a_group_that_falls_into_two_is_told_as_two() -> None:
    random = np.random.default_rng(0)
    places = np.array([[0.0, 0], [60, 0], [0, 60], [14, 0]])
    group = np.repeat(np.arange(4), 100)
    points = places[group] + random.normal(size=(400, 2))
    certain = [each for each in separate_groups(points, points) if each.beyond_chance]
    assert [each.sizes for each in certain] == [(100, 100, 100, 100)]


@pytest.mark.parametrize("count", [16, 21, 400])
def test_quantiles_are_those_of_numpy(random: np.random.Generator, count: int) -> None:
    values = random.exponential(size=count)
    assert _quantile(values, 0.6) == pytest.approx(np.quantile(values, 0.6), rel=1e-12)

"""Two columns on a curve are found as a plane in which rows lie on a curve, after any rotation."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.stats import spearmanr
from sklearn.decomposition import FastICA

from tests.transport.inversion.records import haar, structureless
from tests.transport.inversion.test_emptiest_cuts import service_of
from wassay import Recipe
from wassay.audit import DisclosureClass
from wassay.transport.inversion import least_gaussian_components, thin_planes

Table = NDArray[np.float64]

pytestmark = pytest.mark.filterwarnings("ignore:FastICA did not converge")


def weather(rows: int) -> pd.DataFrame:
    """Draw temperatures, wind and load, with the sine and the cosine of the hour."""
    random = np.random.default_rng(1)
    hour = random.uniform(0, 24, rows)
    warmth = 10 - 3 * np.cos(np.pi * (hour - 3) / 12) + random.normal(0, 4, rows)
    return pd.DataFrame(
        {
            "temperature": warmth.round(2),
            "wind": random.gamma(2, 2, rows).round(2),
            "load": (500 + 20 * warmth + random.normal(0, 60, rows)).round(1),
            "sine": np.sin(np.pi * hour / 12),
            "cosine": np.cos(np.pi * hour / 12),
        }
    )


def thinnest_plane(points: Table) -> Table:
    """Return 36 directions in the plane of the two components in which neighbours are nearest."""
    centred = points - points.mean(axis=0)
    white = np.linalg.svd(centred, full_matrices=False)[0] * np.sqrt(len(points))
    best, found = np.inf, white[:, :2]
    for contrast in ("cube", "logcosh"):
        analysis = FastICA(fun=contrast, whiten=False, random_state=0, max_iter=300, tol=1e-4)
        components = analysis.fit_transform(white)
        for pair in itertools.combinations(range(white.shape[1]), 2):
            plane = components[:, pair] / components[:, pair].std(axis=0)
            apart = np.median(cKDTree(plane).query(plane, k=2)[0][:, 1])
            if apart < best:
                best, found = apart, plane
    angles = np.linspace(0, np.pi, 36, endpoint=False)
    return np.asarray(found @ [np.cos(angles), np.sin(angles)])


@pytest.mark.filterwarnings("ignore:'sine' and 'cosine' lie on a curve")
def test_the_sine_and_cosine_of_an_hour_are_read_of_a_recipe_and_the_audit_names_them() -> None:
    table = weather(800)
    points = Recipe.fit(table, seed=1).apply(table).points
    plane = thinnest_plane(points @ haar(np.random.default_rng(0), points.shape[1]))
    for name in ("sine", "cosine"):
        assert max(abs(spearmanr(each, table[name]).statistic) for each in plane.T) > 0.98

    service = service_of(points, table)
    assert service.disclosure_class is DisclosureClass.APPROXIMATE
    assert set(service.columns.fields) == {"sine", "cosine"}
    attacks = {each.attack for each in service.columns.facts}
    assert attacks <= {"the thinnest planes", "the thinnest surfaces"}
    assert thin_planes(points, least_gaussian_components(points), points)


@pytest.mark.filterwarnings("ignore:'sine' and 'cosine' lie on a curve")
def test_without_the_table_the_audit_says_that_rows_lie_on_a_curve() -> None:
    found = service_of(Recipe.fit(weather(1000), seed=1).apply(weather(1000)).points).columns
    attacks = {each.attack for each in found.read} | {each.attack for each in found.combinations}
    assert "the thinnest planes" in attacks
    assert found.disclosure_class is DisclosureClass.APPROXIMATE


@pytest.mark.parametrize("kind", ["normal", "uniform", "skewed", "long tails", "equal rows"])
@pytest.mark.parametrize(("rows", "columns"), [(51, 8), (200, 3)])
def test_chance_puts_rows_on_no_curve(kind: str, rows: int, columns: int) -> None:
    for seed in range(2):
        cloud = structureless(kind, rows, columns, seed)
        assert not thin_planes(cloud, least_gaussian_components(cloud), cloud)


def test_columns_that_vary_in_none_of_the_sampled_rows_do_not_stop_the_search() -> None:
    random = np.random.default_rng(6)
    rare = np.arange(3000)[:, None] == np.arange(
        6
    )  # each value is in one row, and 600 rows are sampled
    points = np.column_stack([random.normal(size=(3000, 3)), rare]) @ haar(random, 9)
    planes = thin_planes(points, least_gaussian_components(points), np.empty((3000, 0)))
    assert all(np.isfinite(each).all() for each in planes)

"""Three columns on a surface are found as a space of three directions, after any rotation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import rankdata

from tests.transport.inversion.records import haar, structureless
from tests.transport.inversion.test_emptiest_cuts import service_of
from wassay import Recipe
from wassay.audit import DisclosureClass
from wassay.transport.inversion import thin_surfaces

Table = NDArray[np.float64]


def headings(rows: int) -> pd.DataFrame:
    """Draw ages and weights of birds, with the unit vectors along which they fly."""
    random = np.random.default_rng(3)
    vectors = random.normal(size=(rows, 3))
    x, y, z = (vectors / np.linalg.norm(vectors, axis=1)[:, None]).T
    age, weight = random.integers(1, 20, rows), random.normal(26, 4, rows).round(1)
    return pd.DataFrame({"age": age, "weight": weight, "x": x, "y": y, "z": z})


def soils(rows: int) -> pd.DataFrame:
    """Draw shares of sand, silt and clay, which add up to 100, with depth and slope."""
    random = np.random.default_rng(4)
    sand, silt, clay = 100 * random.dirichlet([1, 1, 1], rows).T
    shares = {"sand": sand, "silt": silt, "clay": clay}
    depth, slope = random.uniform(0, 90, rows).round(), random.gamma(2, 3, rows).round(2)
    return pd.DataFrame({"depth": depth, "slope": slope, **shares}).round(2)


def quadratic_space(points: Table) -> Table:
    """Return the three directions on which the quadratic of the least variance depends most."""
    centred = points - points.mean(axis=0)
    white = np.linalg.svd(centred, full_matrices=False)[0] * np.sqrt(len(points))
    first, second = np.triu_indices(white.shape[1])
    products = white[:, first] * white[:, second] / np.where(first == second, np.sqrt(2), 1)
    terms = np.hstack([white, products])
    steadiest = np.linalg.eigh(np.cov(terms.T))[1][:, 0]
    linear, quadratic = np.split(steadiest, [white.shape[1]])
    form = np.zeros((white.shape[1],) * 2)
    form[first, second] += quadratic / np.where(first == second, np.sqrt(2), 1)
    slopes = (form + form.T) @ (form + form.T)
    axes = np.linalg.eigh(slopes + np.outer(linear, linear))[1][:, -3:]
    return np.asarray(white @ axes)


def correlations(columns: Table, values: Table) -> Table:
    """Return the correlation of each column with the values."""
    columns, values = columns - columns.mean(axis=0), values - values.mean()
    return np.asarray(values @ columns / np.linalg.norm(columns, axis=0) / np.linalg.norm(values))


@pytest.mark.parametrize(
    ("table", "names"), [(headings(800), ("x", "y", "z")), (soils(800), ("sand", "silt", "clay"))]
)
def test_three_columns_on_a_surface_are_read_of_a_recipe_and_the_audit_names_them(
    table: pd.DataFrame, names: tuple[str, ...]
) -> None:
    points = Recipe.fit(table, seed=1).apply(table).points
    space = quadratic_space(points @ haar(np.random.default_rng(0), points.shape[1]))
    directions = np.random.default_rng(0).normal(size=(3, 2_000))
    ranks = rankdata(space @ directions, axis=0)
    for name in names:  # Spearman's correlations are those of the ranks
        assert np.abs(correlations(ranks, rankdata(table[name]))).max() > 0.98

    service = service_of(points, table)
    assert service.disclosure_class is DisclosureClass.APPROXIMATE
    assert set(service.columns.fields) == set(names)
    assert {each.attack for each in service.columns.facts} == {"the thinnest surfaces"}


def test_without_the_table_the_audit_says_that_rows_lie_on_a_surface() -> None:
    table = headings(800)
    found = service_of(Recipe.fit(table, seed=1).apply(table).points).columns
    attacks = {each.attack for each in found.read} | {each.attack for each in found.combinations}
    assert "the thinnest surfaces" in attacks
    assert found.disclosure_class is DisclosureClass.APPROXIMATE


@pytest.mark.parametrize("kind", ["normal", "uniform", "skewed", "long tails", "equal rows"])
@pytest.mark.parametrize(("rows", "columns"), [(200, 3), (400, 5)])
def test_chance_puts_rows_on_no_surface(kind: str, rows: int, columns: int) -> None:
    for seed in range(2):
        assert not thin_surfaces(structureless(kind, rows, columns, seed))

"""The quadratics that vary least read columns that depend on each other, though on no surface."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from tests.transport.inversion.records import haar, structureless
from tests.transport.inversion.test_emptiest_cuts import service_of
from tests.transport.inversion.test_thin_surfaces import quadratic_space
from wassay import Recipe
from wassay.audit import DisclosureClass
from wassay.transport.inversion import flat_directions, thin_surfaces


def goods(rows: int, seed: int) -> pd.DataFrame:
    """Costs with one of three margins, prices that end in .99, and sales of a quarter."""
    random = np.random.default_rng(seed)
    cost = np.exp(random.normal(2.5, 1, rows)).round(2)
    price = np.floor(cost * random.choice([1.2, 1.5, 2.0], rows, p=[0.3, 0.5, 0.2])) + 0.99
    reduced = np.floor(price * 0.8) + 0.99
    return pd.DataFrame(
        {
            "cost": cost,
            "price": price,
            "paid": np.where(random.random(rows) < 0.25, reduced, price),
            "vat": random.choice([0.07, 0.19], rows, p=[0.4, 0.6]),
            "stock": random.poisson(12, rows),
            "grams": 50 * (np.exp(random.normal(6, 0.8, rows)) / 50).round(),
            "stars": np.round(2 * np.clip(random.normal(4.2, 0.5, rows), 1, 5)) / 2,
        }
    )


def visits(rows: int, seed: int) -> pd.DataFrame:
    """Visits to a hospital, with a body mass index, which follows from weight and height."""
    random = np.random.default_rng(seed)
    sex = random.choice(["f", "m"], rows)
    height = np.where(sex == "m", 178, 165) + random.normal(0, 6.5, rows)
    weight = height**2 / 1e4 * np.exp(random.normal(3.25, 0.15, rows))
    age = random.gamma(7, 7, rows).astype(int)
    systolic = (95 + 0.5 * age + random.normal(0, 13, rows)).round()
    return pd.DataFrame(
        {
            "age": age,
            "sex": sex,
            "height": height.round(),
            "weight": weight.round(1),
            "bmi": (weight / (height / 100) ** 2).round(1),
            "systolic": systolic,
            "diastolic": (0.6 * systolic + random.normal(0, 7, rows)).round(),
        }
    )


@pytest.mark.parametrize(
    ("table", "seed", "expected"),
    [(goods, 1, "price"), (goods, 4, "cost"), (visits, 4, "height"), (visits, 6, "height")],
)
def test_one_direction_reads_a_column_of_a_recipe_and_the_audit_names_it(
    table: Callable[[int, int], pd.DataFrame], seed: int, expected: str
) -> None:
    rows = table(800, seed)
    points = Recipe.fit(rows, seed=seed).apply(rows).points
    sealed = points @ haar(np.random.default_rng(0), points.shape[1])
    direction = quadratic_space(sealed)[:, -1]
    read = {
        name
        for name in rows.columns.drop("sex", errors="ignore")
        if abs(spearmanr(direction, rows[name]).statistic) > 0.9
    }
    assert expected in read
    assert not thin_surfaces(points), "and so another attack of the audit has to find it"

    service = service_of(points, rows)
    assert service.disclosure_class is DisclosureClass.APPROXIMATE
    assert read <= set(service.columns.fields)


@pytest.mark.parametrize(("rows", "columns"), [(150, 3), (400, 8), (2_000, 12)])
def test_chance_makes_no_quadratic_flat(rows: int, columns: int) -> None:
    for seed in range(5):
        assert not flat_directions(structureless("normal", rows, columns, seed)).size


def test_too_few_rows_or_columns_make_no_quadratic() -> None:
    random = np.random.default_rng(0)
    assert flat_directions(random.exponential(size=(400, 2))).shape == (400, 0)
    assert flat_directions(random.exponential(size=(250, 10))).shape == (250, 0)
    assert flat_directions(random.exponential(size=(149, 3))).shape == (149, 0)

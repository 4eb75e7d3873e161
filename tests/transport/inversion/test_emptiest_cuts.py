"""A fact that several fields tell divides the rows, after any rotation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import FastICA

from tests.transport.inversion.records import fixed_key, haar, normal_reference, structureless
from wassay import Recipe
from wassay.audit import BuyerMeasure, DisclosureClass, Exposure, audit
from wassay.recipes import Number
from wassay.recipes.facts import facts_of
from wassay.transport import Measure, project, scale_hiding
from wassay.transport.inversion import emptiest_cuts, least_gaussian_components

Table = NDArray[np.float64]
Rows = NDArray[np.bool_]

pytestmark = [
    pytest.mark.filterwarnings("ignore:FastICA did not converge"),
    pytest.mark.filterwarnings("ignore:'kind' follows from"),
]


def birds(rows: int) -> pd.DataFrame:
    """Draw birds: measurements, an independent place, and a kind that three measurements tell."""
    random = np.random.default_rng(0)
    large = random.random(rows) < 0.4
    return pd.DataFrame(
        {
            "bill": random.normal(40 + 12 * large, 2, rows).round(1),
            "wing": random.normal(190 + 40 * large, 6, rows).round(),
            "depth": random.normal(20 - 6 * large, 1, rows).round(1),
            "weight": random.normal(4, 0.5, rows).round(2),
            "place": random.choice(["north", "south"], rows),
            "kind": np.where(large, "large", "small"),
        }
    )


def clinic(rows: int) -> pd.DataFrame:
    """Draw patients, of whom two of five lack three blood values together."""
    random = np.random.default_rng(2)
    untested = random.random(rows) < 0.4
    table = pd.DataFrame({"age": random.integers(18, 95, rows), "bmi": random.normal(26, 4, rows)})
    for name in ("hba1c", "ldl", "crp"):
        table[name] = np.where(untested, np.nan, np.exp(random.normal(1, 0.3, rows)).round(2))
    return table


def widest_gap(points: Table) -> Rows:
    """Divide rows at the widest gap along an independent component, then where means are apart."""
    centred = points - points.mean(axis=0)
    white = np.linalg.svd(centred, full_matrices=False)[0] * np.sqrt(len(points))
    best, side = 0.0, np.zeros(len(points), dtype=bool)
    for contrast in ("cube", "logcosh", "exp"):
        analysis = FastICA(fun=contrast, whiten=False, random_state=0, max_iter=200, tol=1e-3)
        for component in analysis.fit_transform(white).T:
            for share in (0.2, 0.5, 0.8):
                divided, depth = component > np.quantile(component, share), 0.0
                for _ in range(6):
                    axis = white[divided].mean(axis=0) - white[~divided].mean(axis=0)
                    along = white @ axis / np.linalg.norm(axis)
                    counts, edges = np.histogram(along, bins=20, range=(-2.5, 2.5))
                    counts = np.convolve(counts, [0.25, 0.5, 0.25], mode="same")
                    depths = [
                        np.sqrt(min(counts[:each].max(), counts[each:].max())) - np.sqrt(here)
                        for each, here in enumerate(counts[3:17], 3)
                    ]
                    divided, depth = along > edges[int(np.argmax(depths)) + 3] + 0.125, max(depths)
                    if not 0.05 < divided.mean() < 0.95:
                        depth = 0.0
                        break
                if depth > best:
                    best, side = depth, divided
    return side


def share_right(side: Rows, fact: Rows) -> float:
    alike = float((side == fact).mean())
    return max(alike, 1 - alike)


def service_of(points: Table, table: pd.DataFrame | None = None) -> Exposure:
    """Audit a sealed upload of the points; return what the audit says about the service."""
    measure, reference = Measure(points), normal_reference(1, points.shape[1])
    key = fixed_key(reference, scale_hiding(measure))
    sent = BuyerMeasure(key.conceal(project(measure, reference.measure()).interpolate(0.4)))
    facts = () if table is None else facts_of(table)
    return audit(measure, sent, reference, isometry=key.conceal, facts=facts).exposures[0]


def test_a_kind_that_measurements_tell_too_divides_the_rows_of_a_recipe_and_is_named() -> None:
    table = birds(400)
    points = Recipe.fit(table, seed=1).apply(table).points
    turned = points @ haar(np.random.default_rng(0), points.shape[1])
    assert share_right(widest_gap(turned), (table["kind"] == "large").to_numpy()) > 0.98

    service = service_of(points, table)
    assert service.disclosure_class.reveals_more_than(DisclosureClass.UP_TO_ISOMETRY)
    assert "kind" in service.columns.fields
    assert "place" not in service.columns.fields
    told = {each.words: each.correct_share for each in service.columns.facts}
    assert told["'kind' is 'large'"] > 0.98  # type: ignore[operator]


def test_gaps_that_occur_together_divide_the_rows_if_each_has_an_indicator_of_its_own() -> None:
    table = clinic(500)
    indicated = {name: Number(missing="indicator") for name in ("hba1c", "ldl", "crp")}
    points = Recipe.fit(table, kinds=indicated, seed=1).apply(table).points
    turned = points @ haar(np.random.default_rng(0), points.shape[1])
    assert share_right(widest_gap(turned), table["ldl"].isna().to_numpy()) > 0.98

    service = service_of(points, table)
    assert service.disclosure_class is DisclosureClass.EXACT
    assert set(service.columns.fields) == {"hba1c", "ldl", "crp"}


def test_without_the_table_the_audit_says_how_many_rows_each_group_has() -> None:
    table = birds(400)
    points = Recipe.fit(table, seed=1).apply(table).points
    (found, *_) = service_of(points).columns.combinations  # the emptiest cut comes first
    assert found.attack == "the emptiest cuts"
    fewer = int((table["kind"] == "large").sum())
    sizes = [int(word) for word in found.why.split() if word.isdigit()]
    assert abs(sizes[0] - fewer) <= 8
    assert sum(sizes) == 400


@pytest.mark.parametrize("kind", ["normal", "uniform", "skewed", "dependent", "long tails"])
@pytest.mark.parametrize(("rows", "columns"), [(51, 8), (200, 3)])
def test_clouds_without_groups_show_none(kind: str, rows: int, columns: int) -> None:
    for seed in range(2):
        cloud = structureless(kind, rows, columns, seed)
        cuts = emptiest_cuts(cloud, least_gaussian_components(cloud), cloud)
        assert not any(cut.beyond_chance for cut in cuts)

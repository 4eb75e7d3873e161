"""Equal rows become equal points on both sides; ties in other rows are broken by new jitter."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import kstest
from sklearn.metrics import roc_auc_score

from wassay import Recipe
from wassay.recipes.frames import columns_of
from wassay.recipes.row_digests import repeated_share, row_digests
from wassay.recipes.uniforms import Uniforms

RANDOM = np.random.default_rng(4)


def customers(rows: int) -> pd.DataFrame:
    """Draw rows with numbers, flags, categories and dates, some of which are missing."""
    return pd.DataFrame(
        {
            "age": RANDOM.normal(45, 15, rows).round(),
            "income": np.exp(RANDOM.normal(10, 0.5, rows)).round(),
            "visits": RANDOM.poisson(2.5, rows),
            "member": RANDOM.random(rows) < 0.4,
            "city": RANDOM.choice(["Bern", "Basel", "Genf"], rows),
            "since": pd.Timestamp("2015-01-01")
            + pd.to_timedelta(RANDOM.integers(0, 3000, rows), "D"),
            "rating": np.where(RANDOM.random(rows) < 0.2, np.nan, RANDOM.integers(1, 6, rows)),
        }
    )


BUYER = customers(300)
RECIPE = Recipe.fit(BUYER)
POINTS = RECIPE.apply(BUYER).points


def same_points(offered: object, **options: object) -> bool:
    complete = BUYER["rating"].notna().to_numpy()
    found = RECIPE.apply(offered, **options).points  # type: ignore[arg-type]
    return np.allclose(found[complete], POINTS[complete], atol=1e-9)


def test_copies_lie_on_the_originals_in_any_order_format_and_unit() -> None:
    assert same_points(BUYER)
    assert same_points(BUYER[[*BUYER][::-1]])
    assert same_points(pl.from_pandas(BUYER))
    assert same_points(pd.read_csv(io.StringIO(BUYER.to_csv(index=False))))
    in_thousands = BUYER.assign(income=BUYER["income"] / 1000)
    assert same_points(in_thousands, factors={"income": 1000})


def test_planted_copies_and_repeats_are_told_from_all_other_rows() -> None:
    offered = customers(300)
    planted = np.arange(300) < 30
    offered[planted] = BUYER[100:130].to_numpy()
    offered = offered.astype(BUYER.dtypes)
    found = RECIPE.apply(offered).points
    assert roc_auc_score(planted, -cdist(found, POINTS).min(axis=1)) > 0.995
    offered[planted] = offered[100:130].to_numpy()
    own = RECIPE.apply(offered.astype(BUYER.dtypes)).points
    distances = cdist(own[planted], own[~planted]).min(axis=1)
    assert np.median(distances) == 0


def test_rows_that_differ_in_one_field_are_spread_independently() -> None:
    other = RECIPE.apply(BUYER.assign(income=BUYER["income"] + 1)).points
    recipe = Recipe.fit(BUYER, whiten=False)
    member = recipe.apply(BUYER).points[:, 3]
    others = recipe.apply(BUYER.assign(income=BUYER["income"] + 1)).points[:, 3]
    flags = BUYER["member"].to_numpy()
    assert (other != POINTS).any(axis=1).all()
    for side in (flags, ~flags):
        assert abs(np.corrcoef(member[side], others[side])[0, 1]) < 0.35


def test_random_numbers_of_rows_fields_and_calls_are_uniform_and_independent() -> None:
    rows = row_digests(RECIPE.public.features, columns_of(BUYER))
    streams = [Uniforms("k", rows).field(name) for name in ("age", "city")]
    drawn = np.column_stack([stream.uniform() for stream in streams for _ in range(4)])
    for column in drawn.T:
        assert kstest(column, "uniform").pvalue > 1e-4
    off = np.corrcoef(drawn.T) - np.eye(8)
    assert np.abs(off).max() < 0.25


def test_rows_that_often_repeat_are_spread_anew() -> None:
    flags = {f"x{k}": RANDOM.random(200) < 0.5 for k in range(3)}
    recipe = Recipe.fit(flags)
    assert recipe.fitted.jitter_key is None
    assert len(np.unique(recipe.apply(flags).points, axis=0)) == 200
    assert recipe.compare(flags) == []


def test_repeats_that_the_buyer_does_not_have_are_reported() -> None:
    offered = customers(200)
    assert RECIPE.compare(offered) == []
    (difference,) = RECIPE.compare(pd.concat([offered, offered[:50]]))
    assert (difference.kind, difference.field, difference.share) == ("repeated", None, 0.2)
    assert "20.0% of rows equal earlier ones in all columns" in str(difference)


def test_a_missing_value_is_no_number_and_minus_zero_is_zero() -> None:
    fields = Recipe.fit({"x": [None, *range(40)]}).public.features
    columns = columns_of({"x": [0.0, None, -0.0]})
    first, second, third = row_digests(fields, columns)
    assert first == third != second
    assert repeated_share(np.array([first, second, third])) == pytest.approx(1 / 3)

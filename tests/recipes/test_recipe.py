"""Recipes from fit to points: what they contain, and the same points on every machine."""

import json
import stat
from pathlib import Path
from typing import Any

import numpy as np
import ot
import pandas as pd
import pytest

from tests.recipes import golden
from tests.recipes.tables import nonsense, people
from wassay import Recipe, RecipeError
from wassay.recipes import Number

BUYER = people(400, seed=1)
RECIPE = Recipe.fit(BUYER, units={"income": "EUR"}, seed=1)


def distance(recipe: Recipe, offered: pd.DataFrame, **options: object) -> float:
    """Return W_2² between the buyer's points and the offered ones, by POT."""
    points = recipe.apply(people(300, seed=2), seed=3).points
    others = recipe.apply(offered, seed=4, **options).points  # type: ignore[arg-type]
    return float(ot.emd2([], [], ot.dist(points, others)))


def test_the_same_population_is_nearest_then_a_shifted_one_and_nonsense_is_last_by_a_factor() -> (
    None
):
    same = distance(RECIPE, people(300, seed=5))
    shifted = distance(RECIPE, people(300, seed=5, shift=0.5))
    other = distance(RECIPE, nonsense(300, seed=5))
    assert same < 0.6 * shifted < shifted < 0.2 * other


def test_income_in_thousands_declared_as_such_and_another_order_change_nothing() -> None:
    offered = people(300, seed=5)
    in_thousands = offered.assign(income=offered["income"] / 1000)[["bmi", "income", "age"]]
    found = distance(RECIPE, in_thousands, factors={"income": 1000})
    assert found == pytest.approx(distance(RECIPE, offered), rel=1e-9)


def test_halves_of_one_table_are_as_near_as_halves_of_another_sample() -> None:
    points = RECIPE.apply(people(600, seed=7), seed=8).points
    floors = []
    for seed in range(8):
        order = np.random.default_rng(seed).permutation(600)
        halves = points[order[:300]], points[order[300:]]
        floors.append(ot.emd2([], [], ot.dist(*halves)))
    assert distance(RECIPE, people(300, seed=9)) < 1.2 * max(floors)


def test_each_field_counts_by_its_weight() -> None:
    recipe = Recipe.fit(BUYER, weights={"bmi": 4.0}, seed=1)
    points = recipe.apply(BUYER, seed=1).points
    squares = ((points[:, None] - points) ** 2).mean(axis=(0, 1))
    np.testing.assert_allclose(squares, [1, 1, 4], rtol=0.05)


def test_points_are_the_same_to_the_last_bit_on_every_machine() -> None:
    # Read the recipe from a file: fitting may round differently on other machines, applying not.
    assert golden.digest(Recipe.load(golden.FILE)) == (
        "acb11bfe5ab328b242b6b7ed1e555ed3d3da1bbf5ca5d7a896f1e19853ab9693"
    )


def test_json_in_and_out_is_the_same_recipe(tmp_path: Path) -> None:
    RECIPE.save(tmp_path / "recipe.json")
    assert Recipe.load(tmp_path / "recipe.json") == RECIPE
    assert stat.S_IMODE((tmp_path / "recipe.json").stat().st_mode) == 0o600
    again = Recipe.from_parts(RECIPE.public, RECIPE.fitted)
    assert (again.apply(BUYER, seed=1).points == RECIPE.apply(BUYER, seed=1).points).all()


def test_the_public_part_holds_nothing_of_the_rows() -> None:
    others = Recipe.fit(people(200, seed=99, shift=2), units={"income": "EUR"}, seed=2)
    assert others.public == RECIPE.public
    with pytest.raises(RecipeError, match="this public part, received another"):
        Recipe.from_parts(Recipe.fit(BUYER, whiten=False).public, RECIPE.fitted)


def test_at_most_one_quantile_is_told_of_ten_rows() -> None:
    def told(rows: int) -> int:
        fitted = Recipe.fit(people(rows, seed=1)).fitted.fields["age"].fit
        assert fitted.of == "quantiles"
        return len(fitted.quantiles)

    assert (told(400), told(45), told(2_000)) == (40, 4, 100)
    with pytest.raises(RecipeError, match="at least 20 rows"):
        Recipe.fit(people(19, seed=1))


def test_without_jitter_the_seed_does_not_matter() -> None:
    recipe = Recipe.fit(BUYER, jitter=False)
    assert (recipe.apply(BUYER).points == recipe.apply(BUYER).points).all()
    assert (RECIPE.apply(BUYER, seed=1).points != RECIPE.apply(BUYER, seed=2).points).any()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 2}, "version 1, received version 2"),
        ({"code": "import os"}, "code"),
        ({"public": {}}, "public"),
    ],
)
def test_another_document_is_refused(change: dict[str, object], sentence: str) -> None:
    document = json.loads(RECIPE.to_json()) | change
    with pytest.raises(RecipeError, match=sentence):
        Recipe.from_json(json.dumps(document))


def test_a_matrix_of_another_size_is_refused() -> None:
    document = json.loads(RECIPE.to_json())
    document["fitted"]["whitening"] = [[1.0, 0.0], [0.0, 1.0]]
    with pytest.raises(RecipeError, match="3 × 3"):
        Recipe.from_json(json.dumps(document))
    document["fitted"]["whitening"] = [[1e999] * 3] * 3
    with pytest.raises(RecipeError, match="JSON"):
        Recipe.from_json(json.dumps(document))


def test_a_transform_is_chosen_by_field() -> None:
    recipe = Recipe.fit(
        BUYER,
        kinds={
            "income": Number(transform="log"),
            "bmi": Number(transform="standard"),
            "age": Number(transform="robust"),
        },
        whiten=False,
        jitter=False,
    )
    points = recipe.apply(BUYER).points
    for column, values in ((1, np.log(BUYER["income"])), (2, BUYER["bmi"]), (0, BUYER["age"])):
        expected = (values - values.mean()) / values.std(ddof=0) / np.sqrt(2)
        np.testing.assert_allclose(points[:, column], expected, atol=1e-12)
    assert "number, log" in recipe.describe()


def test_a_column_that_is_missing_is_named() -> None:
    with pytest.raises(RecipeError, match="none named 'bmi'"):
        RECIPE.apply(BUYER.rename(columns={"bmi": "BMI"}))
    renamed = RECIPE.apply(BUYER.rename(columns={"bmi": "BMI"}), rename={"BMI": "bmi"}, seed=1)
    assert (renamed.points == RECIPE.apply(BUYER, seed=1).points).all()


@pytest.mark.parametrize(
    ("weight", "advice"),
    [
        (-1, "pass 1"),
        (float("nan"), "pass 1"),
        (float("inf"), "pass 1"),
        ("2", "pass 1"),
        (True, "pass 1"),
        (0, "roles={'age': 'ignored'}"),
    ],
)
def test_a_weight_that_is_no_positive_number_is_refused_by_its_column(
    weight: Any, advice: str
) -> None:
    with pytest.raises(RecipeError) as refused:
        Recipe.fit(people(40, seed=1), weights={"age": weight})
    sentence = str(refused.value)
    assert f"for column 'age', received {weight!r}" in sentence
    assert advice in sentence

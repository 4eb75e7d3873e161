"""A fact in several fields gets one coordinate, or a warning that says what to leave out."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from tests.transport.inversion.test_emptiest_cuts import clinic, service_of
from wassay import Recipe
from wassay.audit import DisclosureClass
from wassay.recipes import Category, Number

ROWS = 300


def people(**more: object) -> pd.DataFrame:
    random = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, ROWS),
            "income": np.exp(random.normal(10, 0.5, ROWS)).round(2),
            "country": random.choice(["AT", "CH", "DE"], ROWS),
            "member": random.random(ROWS) < 0.3,
            **more,
        }
    )


def missing(recipe: Recipe) -> dict[str, object]:
    return {each.name: each.kind.missing for each in recipe.public.features if each.kind}


def test_of_columns_with_the_same_gaps_only_the_first_has_an_indicator_and_nothing_is_read() -> (
    None
):
    table = clinic(500)
    recipe = Recipe.fit(table, seed=1)
    told = {"hba1c": "indicator", "ldl": "imputed", "crp": "imputed"}
    assert {name: how for name, how in missing(recipe).items() if name in told} == told
    assert recipe.dimension == 6
    found = service_of(recipe.apply(table).points, table)
    assert found.disclosure_class is DisclosureClass.UP_TO_ISOMETRY


def test_an_amount_that_only_flagged_rows_have_needs_no_indicator() -> None:
    table = people()
    table["fee"] = np.where(table["member"], np.random.default_rng(3).gamma(2.0, size=ROWS), np.nan)
    recipe = Recipe.fit(table)
    assert missing(recipe)["fee"] == "imputed"
    table.loc[0, "fee"] = None if table.loc[0, "member"] else 1.0
    assert recipe.apply(table).points.shape == (ROWS, recipe.dimension)
    assert missing(Recipe.fit(table))["fee"] == "indicator"


def test_an_indicator_that_is_asked_for_is_kept() -> None:
    recipe = Recipe.fit(clinic(100), kinds={"ldl": Number(missing="indicator")})
    assert missing(recipe)["ldl"] == "indicator"


def test_a_flag_that_an_indicator_states_again_is_warned_of() -> None:
    table = people()[["age", "member"]]
    tiers = np.random.default_rng(3).choice(["a", "b"], ROWS)
    table["tier"] = pd.Series(tiers).where(table["member"])
    with pytest.warns(UserWarning, match="'member' follows from 'tier'"):
        Recipe.fit(table, kinds={"tier": Category(missing="indicator")})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert missing(Recipe.fit(table))["tier"] == "imputed"


@pytest.mark.parametrize(
    ("name", "values", "of"),
    [
        (
            "land",
            people()["country"].map({"AT": "Austria", "CH": "Swiss", "DE": "German"}),
            "country",
        ),
        ("guest", ~people()["member"], "member"),
        ("code", people()["country"].map({"AT": 40, "CH": 41, "DE": 49}), "country"),
        ("cents", people()["income"] * 100, "income"),
        ("debt", -people()["income"], "income"),
    ],
)
def test_a_column_that_says_the_same_as_another_is_left_out_with_a_warning(
    name: str, values: object, of: str
) -> None:
    table = people(**{name: values})
    with pytest.warns(
        UserWarning, match=f"left out '{name}' .in these rows it says the same as '{of}'."
    ):
        recipe = Recipe.fit(table)
    assert name not in recipe.field_names
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert name in Recipe.fit(table, roles={name: "feature"}).field_names


def test_a_column_that_follows_from_another_is_warned_of() -> None:
    table = people(alpine=people()["country"].isin(["AT", "CH"]))
    with pytest.warns(UserWarning, match="^'alpine' follows from 'country': .*roles="):
        assert "alpine" in Recipe.fit(table).field_names


@pytest.mark.parametrize(
    ("columns", "clause"),
    [
        ({"senior": people()["age"] >= 65}, "'senior' follows from 'age'"),
        (
            {
                "home": np.arange(ROWS) % 2 == 0,
                "won": np.arange(ROWS) % 3 == 0,
                "home_won": (np.arange(ROWS) % 2 == 0) == (np.arange(ROWS) % 3 == 0),
            },
            "'home' follows from 'won' and 'home_won' together",
        ),
        (
            {
                "currency": people()["country"]
                .map({"AT": "EUR", "CH": "CHF", "DE": "DEM"})
                .where(np.arange(ROWS) % 100 > 0, "EUR")
            },
            "'country' follows from 'currency'",
        ),
    ],
    ids=["a threshold", "two together", "all rows but a few"],
)
def test_flags_and_categories_that_others_decide_are_warned_of(
    columns: dict[str, object], clause: str
) -> None:
    with pytest.warns(UserWarning, match=clause):
        assert columns.keys() <= set(Recipe.fit(people(**columns)).field_names)


def test_series_that_grow_together_are_different_facts() -> None:
    quarters = np.arange(60)
    table = people()[:60].assign(index=100 * 1.006**quarters, visits=quarters**1.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sine and cosine lie on a curve
        assert {"index", "visits"} <= set(Recipe.fit(table).field_names)


@pytest.mark.parametrize("power", ["circle", "absolute"])
def test_numbers_on_a_curve_are_warned_of(power: str) -> None:
    angle = np.random.default_rng(1).uniform(0, 2 * np.pi, ROWS)
    first, second = np.sin(angle), np.cos(angle) if power == "circle" else np.abs(np.sin(angle))
    with pytest.warns(UserWarning, match="^'first' and 'second' lie on a curve: "):
        Recipe.fit(people(first=first.round(4), second=second.round(4)))


def test_columns_that_depend_on_each_other_by_chance_only_are_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = people(height=people()["age"] + np.random.default_rng(2).normal(size=ROWS))
        assert len(Recipe.fit(table).field_names) == 5


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e99])
def test_tiny_and_huge_numbers_are_compared_with_others(scale: float) -> None:
    random = np.random.default_rng(4)
    first, second = random.normal(size=(2, 100))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recipe = Recipe.fit(pd.DataFrame({"first": first, "second": scale * second}))
    assert recipe.field_names == ["first", "second"]
    with pytest.warns(UserWarning, match="'second' .in these rows it says the same as 'first'"):
        Recipe.fit(pd.DataFrame({"first": first, "second": scale * first}))


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA])
def test_a_column_without_any_value_is_left_out_with_a_warning(nothing: object) -> None:
    frame = pd.DataFrame({"age": np.arange(50.0) % 30, "nothing": nothing})
    with pytest.warns(UserWarning, match="left out 'nothing' .no value in any row."):
        assert Recipe.fit(frame).field_names == ["age"]

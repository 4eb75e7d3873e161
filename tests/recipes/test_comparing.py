"""The differences between a frame and a recipe are found before anything is sent."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from tests.recipes.tables import nonsense, people
from wassay import Recipe, RecipeError
from wassay.recipes import Difference, Number, Ordered, Vector

RANDOM = np.random.default_rng(9)


def customers(rows: int, seed: int, shift: float = 0.0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    return people(rows, seed, shift).assign(
        city=random.choice(["Bern", "Basel", "Genf", "Chur"], rows, p=[0.5, 0.3, 0.15, 0.05]),
        member=random.random(rows) < 0.4,
    )


RECIPE = Recipe.fit(customers(600, seed=1), units={"income": "EUR"}, seed=1)
OFFERED = customers(500, seed=2)


def found(frame: Any, **options: Any) -> list[tuple[str, str | None, str | None]]:
    return [(each.kind, each.field, each.column) for each in RECIPE.compare(frame, **options)]


def only(frame: Any) -> Difference:
    (difference,) = RECIPE.compare(frame)
    return difference


@pytest.mark.parametrize("seed", range(20))
def test_another_sample_of_the_population_does_not_differ(seed: int) -> None:
    assert found(customers(300, seed=100 + seed)) == []


@pytest.mark.parametrize("rows", [20, 40, 80])
def test_a_small_table_does_not_differ_from_itself_or_from_a_large_one(rows: int) -> None:
    small = people(rows, seed=rows)
    recipe = Recipe.fit(small, seed=1)
    assert recipe.compare(small) == []
    assert recipe.compare(people(500, seed=1)) == []


def test_a_population_that_is_shifted_does_not_differ_in_kind() -> None:
    assert found(customers(500, seed=3, shift=0.5)) == []


def test_missing_renamed_extra_and_index_columns_are_told_apart() -> None:
    frame = OFFERED.rename(columns={"income": "Income_", "bmi": "girth"})
    frame["Unnamed: 0"] = RANDOM.permutation(len(frame))
    frame["row"] = range(len(frame))
    assert found(frame) == [
        ("renamed", "income", "Income_"),
        ("missing", "bmi", None),
        ("extra", None, "girth"),
        ("index", None, "Unnamed: 0"),
        ("index", None, "row"),
    ]
    missing = str(RECIPE.compare(frame)[1])
    assert "say which of 'girth' it is (rename={'girth': 'bmi'})" in missing
    assert [each.harmless for each in RECIPE.compare(frame)] == [False, False, True, True, True]
    renamed = {"Income_": "income", "girth": "bmi"}
    assert found(frame[["age", "Income_", "girth", "city", "member"]], rename=renamed) == []


def test_income_in_thousands_is_another_unit_until_a_factor_is_declared() -> None:
    in_thousands = OFFERED.assign(income=OFFERED["income"] / 1000)
    difference = only(in_thousands)
    assert (difference.kind, difference.factor) == ("unit", 1000)
    assert "factors={'income': 1000}" in str(difference)
    assert "expected EUR" in str(difference)
    assert found(in_thousands, factors={"income": 1000}) == []
    assert only(OFFERED.assign(bmi=OFFERED["bmi"] * 100)).factor == pytest.approx(0.01)


UNITS = np.random.default_rng(3)
MEASURED = {
    "kg": UNITS.normal(75, 12, 600).round(1),
    "income": np.exp(UNITS.normal(10.3, 0.6, 600)).round(),
    "visits": UNITS.poisson(2.5, 600),
    "age": UNITS.integers(18, 90, 600),
    "share": UNITS.beta(2, 5, 600),
    "amount": np.exp(UNITS.normal(3, 1.5, 600)).round(2),
}
BY_UNIT = Recipe.fit(MEASURED, seed=1)


def of_column(name: str, values: NDArray[Any]) -> list[tuple[str, float | None]]:
    """Return the differences of a seller who has `values` in one column."""
    rows = {each: column[:300] for each, column in MEASURED.items()}
    return [(each.kind, each.factor) for each in BY_UNIT.compare(rows | {name: values})]


@pytest.mark.parametrize(
    ("name", "values", "factor"),
    [
        ("kg", (UNITS.normal(75, 12, 300) * 1000).round(), 0.001),
        ("kg", UNITS.normal(7.5, 1.2, 300), 10),
        ("income", np.exp(UNITS.normal(10.3, 0.6, 300)) / 1000, 1000),
        ("income", np.exp(UNITS.normal(10.5, 0.6, 300)) / 1000, 1000),
        ("share", UNITS.beta(2, 5, 300) * 100, 0.01),
        ("amount", (np.exp(UNITS.normal(3, 1.5, 300)) * 100).round(), 0.01),
    ],
    ids=["g", "tens", "thousands", "thousands-of-others", "percent", "cents"],
)
def test_another_unit_is_found_with_its_factor(
    name: str, values: NDArray[Any], factor: float
) -> None:
    ((kind, found),) = of_column(name, values)
    assert kind == "unit"
    assert found == pytest.approx(factor)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("age", UNITS.integers(65, 100, 300)),
        ("age", UNITS.integers(0, 3, 300)),
        ("income", np.exp(UNITS.normal(8.7, 0.6, 300))),
        ("share", UNITS.beta(1, 60, 300)),
        ("amount", np.exp(UNITS.normal(5, 1, 300))),
        ("amount", np.exp(UNITS.normal(0.7, 1, 300))),
    ],
    ids=["elders", "babies", "poor", "rare", "large", "small"],
)
def test_right_values_of_another_population_are_not_refused(
    name: str, values: NDArray[Any]
) -> None:
    assert of_column(name, values) == []


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("kg", UNITS.normal(8, 1.5, 300)),
        ("visits", UNITS.poisson(12, 300)),
        ("visits", UNITS.poisson(25, 300)),
        ("income", np.exp(UNITS.normal(12.1, 0.5, 300))),
    ],
    ids=["infants", "ill", "very-ill", "rich"],
)
def test_values_ten_times_the_buyers_are_far_but_in_the_same_unit(
    name: str, values: NDArray[Any]
) -> None:
    assert of_column(name, values) == [("out-of-range", None)]


def test_columns_that_fit_each_others_place_are_swapped() -> None:
    mixed = OFFERED.rename(columns={"age": "income", "income": "age"})
    assert found(mixed) == [("swapped", "age", "income")]
    assert found(mixed, rename={"age": "income", "income": "age"}) == []
    across = OFFERED.rename(columns={"city": "bmi", "bmi": "city"})
    assert found(across) == [("swapped", "bmi", "city")]


def test_values_of_another_type_are_retyped() -> None:
    difference = only(OFFERED.assign(age=OFFERED["age"].astype(str) + " years"))
    assert difference.kind == "retyped"
    assert "expected numbers in column 'age', received text, such as" in str(difference)
    assert found(OFFERED.assign(age=OFFERED["age"].astype(float))) == []
    ages = OFFERED["age"].astype(str)
    difference = only(OFFERED.assign(age=ages.where(ages.index != 3, "1,200")))
    assert "received text, such as '1,200': convert" in str(difference)
    assert (difference.rows, difference.count) == ((3,), 1)
    assert str(difference).endswith("(row 3, counted from 0)")
    members = OFFERED["member"].map({True: "yes", False: "no"}).where(OFFERED.index != 8, "x")
    assert only(OFFERED.assign(member=members)).rows == (8,)


def test_the_share_of_unknown_categories_is_reported() -> None:
    cities = OFFERED["city"].where(OFFERED.index >= 100, "Berne")
    difference = only(OFFERED.assign(city=cities))
    assert (difference.kind, difference.share) == ("unknown-categories", 0.2)
    assert "'Berne'" in str(difference)
    assert (difference.rows, difference.count) == ((0, 1, 2, 3, 4), 100)
    assert str(difference).endswith("(rows 0, 1, 2, 3, 4 and 95 more, counted from 0)")


def test_categories_that_are_only_spelt_otherwise_are_told_with_the_buyers_spelling() -> None:
    spelt = {"Bern": "BERN", "Basel": "basel ", "Genf": "Genf", "Chur": "Coire"}
    difference = only(OFFERED.assign(city=OFFERED["city"].map(spelt)))
    assert difference.spellings == {"BERN": "Bern", "basel ": "Basel"}
    assert "'BERN' (write 'Bern'), 'basel ' (write 'Basel'), 'Coire'" in str(difference)
    fitting = OFFERED.assign(city=OFFERED["city"].map(spelt).replace(dict(difference.spellings)))
    assert found(fitting.replace({"Coire": "Chur"})) == []


def test_values_far_outside_of_the_range_are_reported() -> None:
    bmi = OFFERED["bmi"].where(OFFERED.index >= 50, -OFFERED["bmi"])
    difference = only(OFFERED.assign(bmi=bmi))
    assert (difference.kind, difference.share) == ("out-of-range", 0.1)
    assert (difference.rows, difference.count) == ((0, 1, 2, 3, 4), 50)
    infinite = only(OFFERED.assign(bmi=OFFERED["bmi"].where(OFFERED.index >= 50, np.inf)))
    assert infinite.kind == "retyped"  # infinite values cannot become coordinates
    assert only(OFFERED.assign(bmi=np.inf)).share == 1
    kinds = {
        each.kind for each in RECIPE.compare(nonsense(300, seed=4).assign(city="Bern", member=1))
    }
    assert kinds <= {"out-of-range", "unit"}
    assert kinds


@pytest.mark.parametrize("seed", range(5))
def test_long_tails_in_few_rows_are_not_out_of_range(seed: int) -> None:
    random = np.random.default_rng(seed)
    incomes = {"income": np.exp(random.normal(10, 1.5, 60))}
    recipe = Recipe.fit(incomes, seed=1)
    assert recipe.compare(incomes) == []
    assert [each.kind for each in recipe.compare({"income": -incomes["income"]})]


def test_missing_values_are_told_where_they_are_refused() -> None:
    difference = only(OFFERED.assign(bmi=OFFERED["bmi"].where(OFFERED.index >= 25)))
    assert (difference.kind, difference.share) == ("empty", 0.05)
    assert (difference.rows, difference.count) == ((0, 1, 2, 3, 4), 25)


def test_a_frame_without_a_row_does_not_differ() -> None:
    assert found(OFFERED.iloc[:0]) == []


DIRECTIONS = np.random.default_rng(8).normal(size=(60, 3))
DOSES = {
    # A missing value must not shift the numbers of rows in messages.
    "dose": np.where(np.arange(60) == 3, np.nan, np.arange(60.0)),
    "amount": np.arange(1.0, 61.0),
    "direction": DIRECTIONS,
    "weight": np.ones(60),
}
OF_DOSES = Recipe.fit(
    DOSES,
    roles={"weight": "weight"},
    kinds={
        "dose": "number",
        "amount": Number(transform="log"),
        "direction": Vector(normalised=True),
    },
)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("dose", np.inf, "received ±inf or larger ones in 1 of 59 rows: .* \\(row 7, counted"),
        ("amount", 0.0, "expected positive numbers .* received 0: .* \\(row 7, counted from 0\\)"),
        ("direction", 0.0, "received zero vectors: .* \\(row 7, counted from 0\\)"),
        ("direction", -np.inf, "expected finite vectors .* \\(row 7, counted from 0\\)"),
        ("weight", -1.0, "expected weights of at least 0 in column 'weight', received negative"),
        ("weight", np.nan, "expected a weight in every row"),
    ],
)
def test_what_cannot_become_a_point_is_reported_with_its_row(
    name: str, value: float, sentence: str
) -> None:
    values = np.array(DOSES[name])
    values[7] = value
    (difference,) = OF_DOSES.compare({**DOSES, name: values})
    assert (difference.kind, difference.field) == ("retyped", name)
    assert re.search(sentence, str(difference))
    with pytest.raises(RecipeError):
        OF_DOSES.apply({**DOSES, name: values})


def test_arrays_are_neither_labels_nor_ordered_categories() -> None:
    frame = OFFERED.assign(size="M")
    for options in ({"roles": {"size": "label"}}, {"kinds": {"size": Ordered(order=("S", "M"))}}):
        recipe = Recipe.fit(frame, **options)
        columns = {**{name: frame[name] for name in frame}, "size": np.ones((len(frame), 2))}
        with pytest.raises(
            RecipeError, match="expected a number, a date or a text in each row of column 'size'"
        ):
            recipe.apply(columns)

"""Values that stand for missing ones are found before anything is sent."""

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn import datasets

from tests.recipes.tables import people
from wassay import Recipe
from wassay.recipes import Number
from wassay.recipes.kinds.numeric import NumericFit
from wassay.recipes.missing_codes import missing_codes, own_codes

RANDOM = np.random.default_rng(9)
INCOMES = Recipe.fit(people(500, seed=1), seed=1)


@pytest.mark.parametrize("code", [-999, -1, 0, 9999, 99999999])
def test_a_repeated_value_that_the_buyer_hardly_has_looks_like_a_code_for_missing(
    code: int,
) -> None:
    offered = people(500, seed=2)
    odd = np.random.default_rng(3).choice(500, 25, replace=False)
    offered.loc[odd, "income"] = code
    (difference,) = INCOMES.compare(offered)
    assert (difference.kind, difference.field) == ("missing-code", "income")
    assert difference.rows == tuple(sorted(odd.tolist())[:5])
    assert difference.count == 25
    assert f"5.0% of values in column 'income' are {code}, which looks like a code" in str(
        difference
    )
    assert "remove these rows" in str(difference)


def test_codes_side_by_side_and_dates_in_place_of_missing_ones_are_found() -> None:
    offered = people(500, seed=2)
    offered.loc[range(20), "age"] = 998
    offered.loc[range(20, 40), "age"] = 999
    (difference,) = INCOMES.compare(offered)
    assert "8.0% of values in column 'age' are 998 or 999, which look like codes" in str(difference)
    days = pd.Timestamp("2015-01-01") + pd.to_timedelta(RANDOM.integers(0, 3000, 500), "D")
    recipe = Recipe.fit(people(500, seed=1).assign(since=days), seed=1)
    coded = days.where(np.arange(500) >= 20, pd.Timestamp("1900-01-01"))
    (difference,) = recipe.compare(people(500, seed=2).assign(since=coded))
    assert "1900-01-01" in str(difference)


def test_a_code_that_the_buyer_has_as_often_does_not_differ() -> None:
    coded = [people(500, seed=seed) for seed in (1, 2)]
    for frame in coded:
        frame.loc[range(25), "income"] = -999
    with pytest.warns(UserWarning, match="-999, which looks like a code"):
        recipe = Recipe.fit(coded[0], seed=1)
    assert recipe.compare(coded[1]) == []


@pytest.mark.parametrize("code", [-999, -9, -1, 99999999])
def test_a_usual_code_in_three_of_a_thousand_rows_is_found_on_both_sides(code: int) -> None:
    offered = people(1000, seed=2)
    offered.loc[[10, 20, 30], "income"] = code
    (difference,) = INCOMES.compare(offered)
    assert (difference.kind, difference.rows) == ("missing-code", (10, 20, 30))
    with pytest.warns(UserWarning, match=f"0.3% of values in column 'income' are {code}, which"):
        Recipe.fit(offered)


HONEST = {
    name: getattr(datasets, f"load_{name}")(as_frame=True).data
    for name in ("breast_cancer", "wine", "iris", "digits")
}


@pytest.mark.parametrize("name", HONEST)
def test_no_column_of_a_table_without_codes_is_reported(name: str) -> None:
    frame = HONEST[name]
    for half in (slice(0, None, 2), slice(1, None, 2)):
        own, others = (frame.iloc[rows] for rows in (half, slice(1 - half.start, None, 2)))
        for each in own:
            values = own[each].to_numpy(dtype=float)
            assert own_codes(values) == []
            assert missing_codes(others[each].to_numpy(dtype=float), numeric_fit(values)) == []


def numeric_fit(values: NDArray[np.float64]) -> NumericFit:
    return Number().fit(values, "numbers", None)


@pytest.mark.parametrize("seed", range(5))
def test_ends_of_scales_and_rounded_values_are_no_codes(seed: int) -> None:
    random = np.random.default_rng(seed)

    def frame(rows: int, top: float) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "age": np.minimum(random.normal(50, 20, rows).round(), top),
                "income": np.exp(random.normal(10, 0.8, rows)).round(-3),
                "rating": random.integers(1, 6, rows),
                "visits": random.poisson(2, rows),
            }
        )

    assert Recipe.fit(frame(400, 120), seed=1).compare(frame(400, 85)) == []


def test_the_oldest_of_a_few_people_are_no_codes() -> None:
    random = np.random.default_rng(0)
    found = []
    for _ in range(300):
        own, others = random.integers(18, 90, size=(2, 60)).astype(float)
        found += [*own_codes(own), *missing_codes(others, numeric_fit(own))]
    assert len(found) < 6  # one in a hundred columns


def test_ninety_nine_as_the_age_of_one_in_twelve_is_a_code() -> None:
    random = np.random.default_rng(0)
    own, others = random.integers(18, 86, size=(2, 300)).astype(float)
    others[::12] = 99
    assert own_codes(others) == missing_codes(others, numeric_fit(own)) == [99]

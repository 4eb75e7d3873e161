"""Facts that a table states about its rows, which the audit compares with what attacks find."""

import numpy as np
import pandas as pd

from wassay.recipes.facts import facts_of


def test_categories_gaps_numbers_and_frequent_numbers_are_facts() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "city": random.choice(["Basel", "Bern"], 200),
            "spent": np.where(np.arange(200) < 60, 0.0, random.gamma(2.0, size=200)),
            "age": np.where(np.arange(200) < 30, np.nan, random.normal(size=200)),
        }
    )
    facts = {each.words: each for each in facts_of(table)}
    assert set(facts) == {
        "'city' is 'Basel'",
        "'city' is 'Bern'",
        "'spent'",
        "'spent' is '0'",
        "'age' has no value",
        "'age'",
    }
    assert facts["'spent' is '0'"].values.sum() == 60
    assert facts["'spent' is '0'"].is_yes_or_no
    assert facts["'age'"].known.sum() == 170
    assert not facts["'age'"].is_yes_or_no


def test_a_value_of_fewer_than_five_rows_is_no_fact() -> None:
    table = pd.DataFrame({"rare": ["yes"] * 4 + ["no"] * 96})
    assert not facts_of(table)

"""What the shape of a recipe's points reveals of the buyer's columns and of missing values."""

import numpy as np
from scipy.stats import kstest

from wassay.recipes import Recipe

ROWS = 500
RANDOM = np.random.default_rng(9)
INCOMES = np.exp(RANDOM.normal(10, 0.6, size=ROWS))


def test_the_buyers_columns_are_no_nearer_to_normal_than_a_sample_is() -> None:
    # Otherwise a search for the most normal directions finds the columns under any rotation.
    distances = []
    for seed in range(40):
        recipe = Recipe.fit({"income": INCOMES}, whiten=False, seed=seed)
        scores = recipe.apply({"income": INCOMES}, seed=seed).points[:, 0]
        scores = (scores - scores.mean()) / scores.std()
        distances.append(kstest(scores, "norm").statistic * np.sqrt(ROWS))
    of_samples = []
    for _ in range(40):
        sample = RANDOM.normal(size=ROWS)
        sample = (sample - sample.mean()) / sample.std()
        of_samples.append(kstest(sample, "norm").statistic * np.sqrt(ROWS))
    assert np.mean(distances) > 0.8 * np.mean(of_samples)


def test_rows_without_a_value_do_not_lie_on_a_plane() -> None:
    columns = {
        "income": np.where(np.arange(ROWS) < ROWS // 10, np.nan, INCOMES),
        "age": RANDOM.normal(40, 12, size=ROWS),
        "rent": 0.3 * INCOMES + RANDOM.normal(0, 500, size=ROWS),
        "city": [
            *RANDOM.choice(["Bonn", "Köln", "Trier"], ROWS - ROWS // 10),
            *[None] * (ROWS // 10),
        ],
    }
    points = Recipe.fit(columns, seed=2).apply(columns, seed=3).points
    for without in (points[: ROWS // 10], points[-ROWS // 10 :]):
        spreads = np.linalg.svd(without - without.mean(axis=0), compute_uv=False)
        assert spreads[-1] > 0.03 * spreads[0]

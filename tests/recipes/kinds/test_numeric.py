"""Normal scores, against scipy."""

import numpy as np
import pytest
from scipy import stats

from wassay.recipes.kinds.numeric import normal_scores
from wassay.recipes.uniforms import Uniforms

RANDOM = np.random.default_rng(3)


def test_scores_of_the_rows_that_quantiles_are_of_have_a_normal_distribution() -> None:
    values = RANDOM.lognormal(size=2_000)
    quantiles = np.quantile(values, (np.arange(100) + 0.5) / 100).tolist()
    scores = normal_scores(values, quantiles, None)
    assert stats.kstest(scores, "norm").pvalue > 0.99
    assert stats.spearmanr(scores, values).statistic == 1


def test_scores_are_the_blom_like_scores_of_scipys_ranks_at_the_quantiles() -> None:
    values = RANDOM.normal(size=101)
    ranks = (stats.rankdata(values) - 0.5) / 101
    found = normal_scores(values, np.sort(values).tolist(), None)
    np.testing.assert_allclose(found, stats.norm.ppf(ranks), atol=1e-14)


def test_ties_are_spread_over_their_range_or_stay_in_its_middle() -> None:
    quantiles = [0.0] * 30 + np.linspace(1, 70, 70).tolist()
    zeros = np.zeros(5_000)
    scores = normal_scores(zeros, quantiles, Uniforms.by_position(5, len(zeros)).field("x"))
    assert stats.kstest(stats.norm.cdf(scores) / 0.3, "uniform").pvalue > 0.01
    assert normal_scores(zeros[:1], quantiles, None) == pytest.approx(stats.norm.ppf(0.15))


@pytest.mark.parametrize("far", [10.0, 1e3, 1e300])
def test_values_beyond_the_range_go_on_in_order_and_not_far(far: float) -> None:
    quantiles = stats.norm.ppf((np.arange(100) + 0.5) / 100).tolist()
    outermost, beyond, farther = normal_scores(np.array([2.6, 3.0, far]), quantiles, None)
    assert outermost < beyond < farther <= quantiles[-1] + 2
    low = normal_scores(np.array([-far]), quantiles, None)
    assert low == pytest.approx(-farther)


def test_of_a_constant_column_every_row_is_the_centre_and_others_are_not() -> None:
    scores = normal_scores(
        np.array([7.0, 7.0, 400.0, -5.0]), [7.0] * 5, Uniforms.by_position(1, 4).field("x")
    )
    assert scores.tolist()[:2] == [0, 0]
    assert scores[2] > 1
    assert scores[3] < -0.9

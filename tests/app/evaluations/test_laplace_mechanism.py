"""Laplace noise against scipy's distributions, and against attacks on floating point."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from app.evaluations.privacy.laplace_mechanism import STEPS, discrete_laplace, release

SURE = 1e-6
"""The significance of the tests: correct noise, which is unseeded, fails once in a million runs."""


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2), Fraction(7, 2)])
def test_integers_are_drawn_from_the_discrete_laplace_distribution(scale: Fraction) -> None:
    drawn = np.array([discrete_laplace(scale) for _ in range(4000)])
    law = stats.dlaplace(1 / float(scale))
    most = int(law.isf(0.005))
    values = np.arange(-most, most + 1)
    seen = np.array([np.sum(drawn == value) for value in values], dtype=float)
    expected = law.pmf(values) * len(drawn)
    seen, expected = np.append(seen, len(drawn) - seen.sum()), np.append(expected, 0)
    expected[-1] = len(drawn) - expected.sum()
    assert stats.chisquare(seen, expected).pvalue > SURE


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 20.0])
def test_released_values_have_laplace_noise_of_the_stated_scale(epsilon: float) -> None:
    value, sensitivity = 3.7, 0.25
    released = [
        release(value, sensitivity=sensitivity, epsilon=epsilon, error=1e-12) for _ in range(3000)
    ]
    (scale,) = {each.scale for each in released}
    assert sensitivity / epsilon <= scale <= 1.01 * sensitivity / epsilon
    noise = [each.value - value for each in released]
    assert stats.kstest(noise, stats.laplace(scale=scale).cdf).pvalue > SURE


def test_neighbours_can_release_the_same_values_whatever_their_last_bits() -> None:
    # In floats, some values of x + noise are impossible for x' + noise, and so reveal x.
    def released(value: float) -> set[float]:
        return {
            release(value, sensitivity=1.0, epsilon=8.0, error=1e-12).value for _ in range(2000)
        }

    step = Fraction(1, 8 * STEPS)
    for value in (0.1 + 0.2, 0.3, math.pi):
        assert all(Fraction(each) % step == 0 for each in released(value))


@pytest.mark.parametrize("epsilon", [1e-6, 0.3, 100.0])
@pytest.mark.parametrize("sensitivity", [1e-30, 0.7, 1e30])
def test_two_neighbours_are_never_more_than_epsilon_apart(
    epsilon: float, sensitivity: float
) -> None:
    # The probabilities of a result differ by exactly e^(distance / scale), both in grid steps.
    error = 1e-9 * sensitivity
    scale = release(0.0, sensitivity=sensitivity, epsilon=epsilon, error=error).scale
    finest = 2.0 ** math.floor(math.log2(min(sensitivity, sensitivity / epsilon) / STEPS))
    values = np.random.default_rng(3).uniform(0, 10 * sensitivity, 200)
    for value in values:
        one, other = value + error, value + sensitivity - error
        steps = abs(
            round(Fraction(one) / Fraction(finest)) - round(Fraction(other) / Fraction(finest))
        )
        assert steps * finest / scale <= epsilon


def test_a_coarse_computation_is_hidden_by_a_coarser_grid() -> None:
    released = release(1.0, sensitivity=1e-12, epsilon=1.0, error=1e-6)
    assert released.scale > 1e-6

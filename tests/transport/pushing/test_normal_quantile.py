import numpy as np
from scipy.special import ndtri

from wassay.transport.pushing.normal_quantile import exp, log, normal_quantile

EDGES = [2.0**-53, 1e-12, 1.3e-11, 1.4e-11, 0.0749, 0.075, 0.0751, 0.49999, 0.5]
RANDOM = np.random.default_rng(3)


def test_normal_quantiles_are_scipys_to_fifteen_digits() -> None:
    drawn = np.concatenate([RANDOM.random(10_000), 10.0 ** -RANDOM.uniform(1, 300, 1_000)])
    levels = np.concatenate([EDGES, 1 - np.array(EDGES), np.linspace(0.001, 0.999, 9999), drawn])
    np.testing.assert_allclose(normal_quantile(levels), ndtri(levels), rtol=3e-15, atol=1e-15)
    assert normal_quantile(np.array([0.5]))[0] == 0


def test_the_logarithm_is_numpys() -> None:
    values = 10.0 ** RANDOM.uniform(-300, 300, 10_000)
    np.testing.assert_allclose(log(values), np.log(values), rtol=4e-16)
    assert log(np.array([1.0])) == 0


def test_the_exponential_is_numpys() -> None:
    values = np.concatenate([-RANDOM.uniform(0, 700, 10_000), -RANDOM.random(1_000), [0.0]])
    np.testing.assert_allclose(exp(values), np.exp(values), rtol=4e-16)

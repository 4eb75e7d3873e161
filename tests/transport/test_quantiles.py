import numpy as np
import pytest
from scipy.fft import dct
from scipy.special import ndtri

from wassay.transport.pushing.isometry import _cosine_transform
from wassay.transport.pushing.quantiles import normal_quantile

EDGES = [2.0**-53, 1e-12, 1.3e-11, 1.4e-11, 0.0749, 0.075, 0.0751, 0.49999, 0.5]


def test_normal_quantiles_are_scipys_to_the_last_digits() -> None:
    u = np.concatenate([EDGES, 1 - np.array(EDGES), np.linspace(0.001, 0.999, 9999)])
    np.testing.assert_allclose(normal_quantile(u), ndtri(u), rtol=2e-14, atol=1e-16)


@pytest.mark.parametrize("dimension", [1, 2, 5, 64, 4097])
def test_the_cosine_transform_is_scipys_orthonormal_dct(dimension: int) -> None:
    rows = np.random.default_rng(1).normal(size=(3, dimension))
    expected = dct(rows, type=2, norm="ortho", axis=1)
    np.testing.assert_allclose(_cosine_transform(rows), expected, atol=1e-13)

"""The least-squares quadratic of a sweep, compared with numpy's."""

import numpy as np
import pytest

from wassay.transport import TransportError, quadratic_weights
from wassay.transport.sweeps.polynomial_fit import curve_weights


@pytest.mark.parametrize("sweep", [[0.2, 0.5, 0.9], [0.1, 0.3, 0.4, 0.8, 0.9]])
def test_a_quadratic_is_read_exactly_anywhere(sweep: list[float]) -> None:
    values = 3 - 2 * np.array(sweep) + 0.7 * np.square(sweep)
    for s in (0.0, 0.35, 0.77):
        weights = quadratic_weights(sweep, s)
        assert weights @ values == pytest.approx(3 - 2 * s + 0.7 * s * s, abs=1e-12)
        fitted = np.polynomial.polynomial.polyval(
            s, np.polynomial.polynomial.polyfit(sweep, np.cos(sweep), 2)
        )
        assert weights @ np.cos(sweep) == pytest.approx(fitted, abs=1e-12)


@pytest.mark.parametrize("s", [0.0, 0.1, 0.2, 0.4, 0.77, 0.9, 1.0])
def test_the_curve_is_the_quadratic_and_the_interpolated_residuals(s: float) -> None:
    sweep = np.array([0.1, 0.3, 0.4, 0.8, 0.9])
    values = np.cos(9 * sweep)
    fit = np.polynomial.Polynomial.fit(sweep, values, 2)
    expected = fit(s) + np.interp(s, sweep, values - fit(sweep))
    assert curve_weights(sweep.tolist(), s) @ values == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("sweep", [[0.2, 0.5], [0.2, 0.5, 0.5]])
def test_two_values_determine_no_quadratic(sweep: list[float]) -> None:
    with pytest.raises(TransportError, match="distinct"):
        quadratic_weights(sweep, 0.3)

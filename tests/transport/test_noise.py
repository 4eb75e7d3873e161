"""How far sums of Laplace noise stray, against draws of it."""

import numpy as np
import pytest

from wassay.transport import TransportError, laplace_bound, quadratic_weights


@pytest.mark.parametrize(
    "scales", [[2.0], [1.0, -1.0], [0.3, 5.0, 0.3], [1.0] * 32, [1.0, 0.0, 1e-9]]
)
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_as_many_sums_as_promised_stay_within_the_bound(
    scales: list[float], confidence: float, random: np.random.Generator
) -> None:
    sums = random.laplace(size=(100_000, len(scales))) @ scales
    inside = np.mean(np.abs(sums) <= laplace_bound(scales, confidence))
    assert inside == pytest.approx(confidence, abs=5 * np.sqrt(confidence * (1 - confidence) / 1e5))


def test_two_variables_of_one_scale_have_a_closed_form() -> None:
    # Their sum has the density (1 + |x|) e^−|x| / 4, so P(|X| > x) = (1 + x/2) e^−x.
    for confidence in (0.1, 0.9, 0.999):
        bound = laplace_bound([1, 1], confidence)
        assert (1 + bound / 2) * np.exp(-bound) == pytest.approx(1 - confidence, abs=1e-5)


def test_no_noise_strays_nowhere_and_a_confidence_is_a_probability() -> None:
    assert laplace_bound([0.0, 0.0]) == 0
    with pytest.raises(TransportError, match="confidence"):
        laplace_bound([1.0], 1.0)


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

"""Confidence bounds for sums of Laplace noise, compared with simulation."""

import numpy as np
import pytest

from wassay.transport import TransportError, laplace_bound


@pytest.mark.parametrize(
    "scales", [[2.0], [1.0, -1.0], [0.3, 5.0, 0.3], [1.0] * 32, [1.0] * 128, [1.0, 0.0, 1e-9]]
)
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_bound_has_its_coverage(
    scales: list[float], confidence: float, random: np.random.Generator
) -> None:
    sums = random.laplace(size=(20_000, len(scales))) @ scales
    inside = np.mean(np.abs(sums) <= laplace_bound(scales, confidence))
    assert inside == pytest.approx(confidence, abs=6 * np.sqrt(confidence * (1 - confidence) / 2e4))


def test_two_variables_of_one_scale_have_a_closed_form() -> None:
    # Their sum has the density (1 + |x|) e^−|x| / 4, so P(|X| > x) = (1 + x/2) e^−x.
    for confidence in (0.1, 0.9, 0.999):
        bound = laplace_bound([1, 1], confidence)
        assert (1 + bound / 2) * np.exp(-bound) == pytest.approx(1 - confidence, abs=1e-5)


def test_no_noise_has_bound_zero_and_a_confidence_is_a_probability() -> None:
    assert laplace_bound([0.0, 0.0]) == 0
    with pytest.raises(TransportError, match="confidence"):
        laplace_bound([1.0], 1.0)
    with pytest.raises(TransportError, match="finite"):
        laplace_bound([1.0, float("inf")])

"""The axioms of a metric hold for W_p, on measures with many ties and equal points.

Costs are right to about 1e-15, so their square roots near zero are right to 1e-7.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

from tests.transport.samples import measures
from wassay.transport import Measure, Power, wasserstein

powers = st.sampled_from([1, 2])
few = settings(max_examples=60, deadline=None)
# A measure of smaller extent is refused, for its squared distances are zero in float64.
shifts = st.floats(-50, 50).filter(lambda each: each == 0 or abs(each) > 1e-140)


@few
@given(measures(2), measures(2), measures(2), powers)
def test_metric_axioms(mu: Measure, nu: Measure, xi: Measure, p: Power) -> None:
    direct = wasserstein(mu, nu, p).value
    assert direct >= 0
    assert wasserstein(mu, mu, p).value == pytest.approx(0, abs=1e-7)
    assert wasserstein(nu, mu, p).value == pytest.approx(direct, abs=1e-7)
    detour = wasserstein(mu, xi, p).value + wasserstein(xi, nu, p).value
    assert direct <= detour + 1e-7


@few
@given(measures(3), measures(3), powers, st.floats(0.01, 100), st.integers(0, 2**32 - 1))
def test_isometries_keep_the_distance_and_scaling_scales_it(
    mu: Measure, nu: Measure, p: Power, factor: float, seed: int
) -> None:
    isometry = ortho_group.rvs(3, random_state=seed)
    moved, other = (
        Measure(factor * measure.points @ isometry + [1.0, -2.0, 5.0], measure.weights)
        for measure in (mu, nu)
    )
    expected = factor * wasserstein(mu, nu, p).value
    assert wasserstein(moved, other, p).value == pytest.approx(expected, rel=1e-6, abs=1e-6)


@few
@given(measures(2), st.tuples(shifts, shifts), powers)
def test_a_translated_measure_is_at_the_length_of_the_translation(
    mu: Measure, shift: tuple[float, float], p: Power
) -> None:
    moved = Measure(mu.points + shift, mu.weights)
    assert wasserstein(mu, moved, p).value == pytest.approx(np.hypot(*shift), rel=1e-9, abs=1e-9)


@few
@given(measures(2), measures(2), powers, st.data())
def test_a_weight_is_as_good_as_that_many_copies_of_the_point(
    mu: Measure, nu: Measure, p: Power, data: st.DataObject
) -> None:
    copies = [data.draw(st.integers(1, 3)) for _ in range(mu.size)]
    repeated = Measure(
        np.repeat(mu.points, copies, axis=0),
        np.repeat(mu.weights / copies, copies),
    )
    expected = wasserstein(mu, nu, p).value
    assert wasserstein(repeated, nu, p).value == pytest.approx(expected, abs=1e-7)


@few
@given(measures(2), measures(2))
def test_the_first_distance_is_never_above_the_second(mu: Measure, nu: Measure) -> None:
    assert wasserstein(mu, nu, 1).value <= wasserstein(mu, nu, 2).value + 1e-9


@few
@given(measures(2), measures(2), measures(2), st.floats(0.01, 0.99))
def test_the_squared_distance_is_convex_in_mixtures(
    mu: Measure, nu: Measure, xi: Measure, share: float
) -> None:
    mixed = Measure(
        np.concatenate([mu.points, nu.points]),
        np.concatenate([share * mu.weights, (1 - share) * nu.weights]),
    )
    bound = share * wasserstein(mu, xi).value ** 2 + (1 - share) * wasserstein(nu, xi).value ** 2
    assert wasserstein(mixed, xi).value ** 2 <= bound + 1e-8

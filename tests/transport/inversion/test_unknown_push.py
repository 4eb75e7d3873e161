import pytest

from tests.transport.inversion.records import normal_reference, records
from wassay.transport import Constant, Measure, Reference, TransportError, interpolate
from wassay.transport.inversion import (
    estimate_push,
    invert_unknown_push,
    other_draws,
    reidentified,
    relative_error,
)


@pytest.mark.parametrize("t", [0.3, 0.6])
@pytest.mark.parametrize(
    ("kind", "k"), [("digits", 1), ("digits", 20), ("digits", 30), ("gaussian", 20)]
)
def test_the_push_is_no_secret_from_who_knows_the_reference(kind, k, t):
    truth = records(kind, 100)
    reference = normal_reference(k, truth.shape[1], 2.0)
    pushed = interpolate(Measure(truth), reference.measure(), t)
    estimate = estimate_push(pushed, reference.measure(), other_draws(reference))
    assert abs(estimate.t - t) <= 0.03
    assert abs(estimate.t - t) <= 3 * estimate.uncertainty
    found = invert_unknown_push(pushed, reference.measure(), other_draws(reference))
    assert relative_error(truth, found.points) <= 0.1
    assert reidentified(truth, found.points) >= 0.95


def test_a_push_to_a_constant_is_one_of_many_and_not_guessed():
    reference = Reference(3, 10, Constant(0.5), seed=1)
    pushed = interpolate(Measure(records("gaussian", 30)), reference.measure(), 0.4)
    with pytest.raises(TransportError, match="homothety"):
        estimate_push(pushed, reference.measure(), other_draws(reference))

import pytest

from tests.transport.inversion.records import Kind, normal_reference, records
from wassay.transport import Constant, Measure, Reference, TransportError, interpolate
from wassay.transport.inversion import (
    TRIAL_SOLVES,
    estimate_push,
    invert_push,
    push_from_known_records,
    redraws,
    reidentified,
    relative_error,
)


@pytest.mark.parametrize(
    ("kind", "m", "k", "t"),
    [
        ("digits", 60, 20, 0.6),
        pytest.param("digits", 60, 2, 0.6, marks=pytest.mark.endurance),
        pytest.param("digits", 45, 10, 0.3, marks=pytest.mark.endurance),
        ("gaussian", 60, 20, 0.3),
    ],
)
def test_the_reference_gives_away_the_push(kind: Kind, m: int, k: int, t: float) -> None:
    truth = records(kind, m)
    reference = normal_reference(k, truth.shape[1], 2.0)
    pushed = interpolate(Measure(truth), reference.measure(), t)
    estimate = estimate_push(pushed, reference.measure(), redraws(reference))
    assert abs(estimate.t - t) <= 0.03
    assert abs(estimate.t - t) <= 4 * estimate.uncertainty
    found = invert_push(pushed, reference.measure(), estimate.t, max_solves=TRIAL_SOLVES)
    assert relative_error(truth, found.points) <= 0.1
    assert reidentified(truth, found.points) >= 0.95


@pytest.mark.parametrize(
    "reference", [Reference(3, 10, Constant(0.5), seed=1), normal_reference(1, 10)]
)
def test_a_push_towards_one_point_is_undetermined_until_a_record_is_known(
    reference: Reference,
) -> None:
    truth = records("gaussian", 30)
    pushed = interpolate(Measure(truth), reference.measure(), 0.4)
    with pytest.raises(TransportError, match="homothety"):
        estimate_push(pushed, reference.measure(), redraws(reference))
    place = reference.measure().points[0]
    found = push_from_known_records(pushed.points[:1], truth[:1], place)
    assert found == pytest.approx(0.4, abs=1e-12)
    with pytest.raises(TransportError, match="received none"):
        push_from_known_records(pushed.points[:0], truth[:0], place)

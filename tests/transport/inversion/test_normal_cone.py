import numpy as np
import ot
import pytest

from tests.transport.inversion.records import Kind, normal_reference, records
from tests.transport.samples import random_weights
from wassay.transport import Measure, TransportError, interpolate
from wassay.transport.inversion import invert_push, reidentified, relative_error

EXACT = 1e-9


@pytest.mark.parametrize("kind", ["digits", "gaussian"])
@pytest.mark.parametrize(
    ("m", "k"), [(60, 1), (60, 20), (60, 60), (50, 20), (40, 60), (37, 50), (64, 48)]
)
@pytest.mark.parametrize(("t", "std"), [(0.2, 0.5), (0.5, 1.0), (0.8, 2.0)])
def test_a_push_is_inverted_exactly_by_who_knows_the_reference(
    kind: Kind, m: int, k: int, t: float, std: float
) -> None:
    truth = records(kind, m)
    reference = normal_reference(k, truth.shape[1], std).measure()
    found = invert_push(interpolate(Measure(truth), reference, t), reference, t)
    assert relative_error(truth, found.points) <= EXACT
    assert reidentified(truth, found.points) == 1
    assert found.residual <= EXACT
    assert found.complete


@pytest.mark.parametrize("t", [0.3, 0.7])
def test_weights_of_records_and_of_the_reference_hide_nothing(t: float) -> None:
    rng = np.random.default_rng(0)
    truth = records("gaussian", 45)
    reference = Measure(rng.normal(size=(20, 10)), random_weights(rng, 20))
    pushed = interpolate(Measure(truth, random_weights(rng, 45)), reference, t)
    found = invert_push(pushed, reference, t)
    assert relative_error(truth, found.points) <= EXACT


@pytest.mark.parametrize(("m", "k"), [(60, 1), (60, 20), (60, 60)])
def test_two_projections_are_enough_where_the_references_size_divides_the_records(
    m: int, k: int
) -> None:
    truth = records("digits", m)
    reference = normal_reference(k, 64).measure()
    found = invert_push(interpolate(Measure(truth), reference, 0.6), reference, 0.6)
    assert found.solves == 2
    assert relative_error(truth, found.points) <= EXACT


def test_an_outside_solver_pushes_the_reconstruction_to_what_was_seen() -> None:
    t, truth = 0.6, records("digits", 50)
    reference = normal_reference(35, 64).measure()
    pushed = interpolate(Measure(truth), reference, t)
    found = invert_push(pushed, reference, t).points
    plan = ot.emd(pushed.weights, reference.weights, ot.dist(found, reference.points))
    images = plan @ reference.points / pushed.weights[:, None]
    np.testing.assert_allclose((1 - t) * found + t * images, pushed.points, atol=1e-11)


@pytest.mark.parametrize("reference", [Measure(np.eye(3)), normal_reference(7, 3).measure()])
def test_repeated_records_and_tied_plans_hide_nothing(reference: Measure) -> None:
    truth = np.random.default_rng(1).integers(0, 2, size=(50, 3)).astype(float)
    found = invert_push(interpolate(Measure(truth), reference, 0.5), reference, 0.5)
    assert relative_error(truth, found.points) <= EXACT
    assert found.residual <= 1e-6


def test_records_that_are_all_zero_are_found_to_be() -> None:
    reference = normal_reference(3, 2).measure()
    found = invert_push(interpolate(Measure(np.zeros((5, 2))), reference, 0.5), reference, 0.5)
    np.testing.assert_allclose(found.points, 0, atol=1e-12)


def test_a_constant_reference_of_known_value_hides_nothing() -> None:
    truth = records("digits", 30)
    reference = Measure(np.full((4, 64), 0.3))
    found = invert_push(interpolate(Measure(truth), reference, 0.9), reference, 0.9)
    assert relative_error(truth, found.points) <= EXACT


def test_an_interrupted_projection_reports_its_residual() -> None:
    truth = records("digits", 37)
    reference = normal_reference(50, 64, 2.0).measure()
    pushed = interpolate(Measure(truth), reference, 0.8)
    found = invert_push(pushed, reference, 0.8, max_solves=3)
    assert relative_error(truth, found.points) > EXACT
    assert found.residual > 1e-3


def test_another_reference_does_not_invert_a_push() -> None:
    truth = records("gaussian", 40)
    pushed = interpolate(Measure(truth), normal_reference(20, 10).measure(), 0.6)
    other = normal_reference(20, 10, seed=8).measure()
    assert relative_error(truth, invert_push(pushed, other, 0.6).points) > 0.1


def test_a_push_that_determines_nothing_is_refused() -> None:
    reference = Measure([[0.0, 1.0]])
    pushed = Measure(np.eye(2), [1.0, 0.0])
    with pytest.raises(TransportError, match="point 1"):
        invert_push(pushed, reference, 0.5)
    for t in (1.0, -0.1, float("nan")):
        with pytest.raises(TransportError, match=r"\[0, 1\)"):
            invert_push(Measure(np.eye(2)), reference, t)
    with pytest.raises(TransportError, match="expected measures of one dimension"):
        invert_push(Measure(np.eye(3)), reference, 0.5)
    np.testing.assert_array_equal(invert_push(Measure(np.eye(2)), reference, 0).points, np.eye(2))

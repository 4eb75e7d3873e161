import numpy as np
import pytest

from tests.transport.inversion.records import Kind, haar, normal_reference, records, shuffled
from tests.transport.samples import random_weights
from wassay.transport import Measure, TransportError, cost_block, project
from wassay.transport.inversion import extrapolate, reidentified, relative_error

EXACT = 1e-9


@pytest.mark.parametrize("kind", ["digits", "gaussian"])
@pytest.mark.parametrize(("m", "k"), [(60, 1), (60, 20), (50, 20), (40, 60)])
@pytest.mark.parametrize(("s1", "s2"), [(0.25, 0.75), (0.8, 0.3)])
def test_two_pushes_with_permuted_rows_give_the_records_without_the_reference(
    kind: Kind, m: int, k: int, s1: float, s2: float
) -> None:
    rng, truth = np.random.default_rng(2), records(kind, m)
    projection = project(Measure(truth), normal_reference(k, truth.shape[1]).measure())
    first, second = projection.interpolate(s1), shuffled(rng, projection.interpolate(s2))
    found = extrapolate(first, second, s1, s2)
    assert relative_error(truth, found.points) <= EXACT
    assert reidentified(truth, found.points) == 1
    assert found.residual <= EXACT


def test_weights_hide_nothing() -> None:
    rng, truth = np.random.default_rng(3), records("gaussian", 40)
    measure = Measure(truth, random_weights(rng, 40))
    projection = project(measure, normal_reference(15, 10).measure())
    second = shuffled(rng, projection.interpolate(0.5))
    found = extrapolate(projection.interpolate(0.25), second, 0.25, 0.5)
    assert relative_error(truth, found.points) <= EXACT


def test_repeated_records_hide_nothing() -> None:
    rng, truth = np.random.default_rng(4), np.repeat(records("gaussian", 15), 3, axis=0)
    projection = project(Measure(truth), normal_reference(7, 10).measure())
    second = shuffled(rng, projection.interpolate(0.75))
    found = extrapolate(projection.interpolate(0.25), second, 0.25, 0.75)
    assert relative_error(truth, found.points) <= EXACT


def test_a_secret_isometry_leaves_all_distances() -> None:
    rng, truth = np.random.default_rng(5), records("digits", 50)
    projection = project(Measure(truth), normal_reference(20, 64).measure())
    rotation, shift = haar(rng, 64), rng.normal(size=64)
    first, second = (
        Measure(projection.interpolate(s).points @ rotation + shift) for s in (0.25, 0.75)
    )
    found = extrapolate(first, second, 0.25, 0.75).points
    assert relative_error(truth, found) > 0.5
    np.testing.assert_allclose(cost_block(found, found), cost_block(truth, truth), atol=1e-11)


def test_pushes_of_different_records_do_not_pass_for_one() -> None:
    reference = normal_reference(20, 10).measure()
    first = project(Measure(records("gaussian", 40)), reference).interpolate(0.25)
    second = project(Measure(records("gaussian", 40, seed=1)), reference).interpolate(0.75)
    assert extrapolate(first, second, 0.25, 0.75).residual > 1e-3


def test_one_push_is_not_two() -> None:
    measure = Measure(np.eye(2))
    with pytest.raises(TransportError, match="two different s"):
        extrapolate(measure, measure, 0.5, 0.5)
    with pytest.raises(TransportError, match="as many points each"):
        extrapolate(measure, Measure(np.ones((3, 2))), 0.25, 0.5)


def test_rows_in_order_towards_one_point_take_no_solving() -> None:
    truth = records("gaussian", 40)
    measure = Measure(truth, random_weights(np.random.default_rng(6), 40))
    projection = project(measure, normal_reference(1, 10).measure())
    found = extrapolate(projection.interpolate(0.25), projection.interpolate(0.75), 0.25, 0.75)
    np.testing.assert_allclose(found.points, truth, atol=1e-12)
    assert (found.solves, found.residual) == (0, 0.0)

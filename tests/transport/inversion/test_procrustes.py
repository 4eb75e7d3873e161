import numpy as np
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.records import haar, normal_reference, records
from wassay.transport import Measure, TransportError, project
from wassay.transport.inversion import align, reidentified, relative_error


def moved(
    truth: NDArray[np.float64], k: int = 1, t: float = 0.4, seed: int = 8
) -> NDArray[np.float64]:
    """Push, rotate and shift points, as the service sees those of a sealed request."""
    rng, dimension = np.random.default_rng(seed), truth.shape[1]
    pushed = project(Measure(truth), normal_reference(k, dimension).measure()).interpolate(t)
    return pushed.points @ haar(rng, dimension) + rng.normal(size=dimension)


def test_known_records_that_span_the_space_undo_an_isometry_and_a_push_to_one_point() -> None:
    truth = records("gaussian", 100)
    found = align(moved(truth), np.arange(11), truth[:11])
    assert found.rank == 10
    assert relative_error(truth, found.points) <= 1e-9
    assert reidentified(truth, found.points) == 1


def test_fewer_known_records_give_the_projection_on_their_span() -> None:
    truth = records("gaussian", 100)
    found = align(moved(truth), np.arange(5), truth[:5])
    centre = truth[:5].mean(axis=0)
    directions = np.linalg.svd(truth[:5] - centre)[2][:4]
    expected = centre + (truth - centre) @ directions.T @ directions
    assert found.rank == 4
    np.testing.assert_allclose(found.points, expected, atol=1e-9)
    np.testing.assert_allclose(
        found.span_distances, np.linalg.norm(truth - expected, axis=1), atol=1e-6
    )


@pytest.mark.parametrize(("k", "share"), [(1, 0.99), (20, 0.5)])
def test_twenty_known_records_of_three_hundred_betray_the_others(k: int, share: float) -> None:
    truth = records("digits", 300)
    found = align(moved(truth, k, t=0.2), np.arange(20), truth[:20])
    assert reidentified(truth[20:], found.points[20:]) >= share


def test_without_known_records_there_is_nothing_to_align() -> None:
    truth = records("gaussian", 10)
    with pytest.raises(TransportError, match="two or more known records"):
        align(moved(truth), [0], truth[:1])
    with pytest.raises(TransportError, match="one point several times"):
        align(moved(truth), [0, 1], np.ones((2, 10)))

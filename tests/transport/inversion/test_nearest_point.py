import numpy as np
import pytest
from numpy.typing import NDArray

from wassay.transport.inversion.nearest_point import NearestPoint, nearest_point

Points = NDArray[np.float64]


def nearest_of(vertices: Points, target: Points, max_calls: int = 1000) -> NearestPoint:
    def farthest(point: Points) -> Points:
        vertex: Points = vertices[np.argmax(vertices @ (target - point))]
        return vertex

    return nearest_point(target, vertices[0], farthest, max_calls)


def on_the_simplex(target: Points) -> Points:
    """Return the Euclidean projection on the probability simplex (Held et al. 1974)."""
    ordered = np.sort(target)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(target) + 1)
    lifted: Points = np.maximum(target - excess[np.count_nonzero(ordered > excess) - 1], 0)
    return lifted


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_point_of_a_simplex_is_the_closed_forms(seed: int) -> None:
    target = np.random.default_rng(seed).normal(size=12)
    found = nearest_of(np.eye(12), target)
    np.testing.assert_allclose(found.point, on_the_simplex(target), atol=1e-14)
    assert found.calls <= 13


@pytest.mark.parametrize("seed", range(20))
def test_no_vertex_is_farther_along_the_rest_than_the_nearest_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    vertices, target = rng.normal(size=(200, 8)), rng.normal(size=8)
    found = nearest_of(vertices, target)
    rest = target - found.point
    assert (vertices @ rest).max() - found.point @ rest <= 1e-13
    assert found.gap <= 1e-13


def test_a_point_of_the_polytope_is_its_own_nearest() -> None:
    rng = np.random.default_rng(0)
    vertices = rng.normal(size=(50, 4))
    inside = rng.dirichlet(np.ones(50)) @ vertices
    found = nearest_of(vertices, inside)
    np.testing.assert_allclose(found.point, inside, atol=1e-14)


def test_the_gap_bounds_how_far_an_interrupted_search_is_off() -> None:
    rng = np.random.default_rng(1)
    vertices, target = rng.normal(size=(400, 20)), np.zeros(20)
    exact = nearest_of(vertices, target).point
    for calls in (1, 3, 6, 9):
        found = nearest_of(vertices, target, max_calls=calls)
        assert found.calls == calls
        assert 0 < np.square(found.point - exact).sum() <= found.gap

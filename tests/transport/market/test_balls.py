"""Balls with a few points, found in float32, compared with distances in float64."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport.market.balls import have_points

Floats = NDArray[np.float64]
SWEEP = (0.25, 0.5, 0.8)
FEWEST = 3
D = 800
"""So many dimensions that 300 × 300 pairs are computed in float32."""


def drawn(seed: int) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    return random.normal(0.1, 1.0, (300, D)), random.normal(0.0, 0.6, (300, D))


def third_nearest(points: Floats, centres: Floats, s: float) -> Floats:
    """Return the squared distance of each centre to the third nearest point at s."""
    return np.sort(cdist(centres, (1 - s) * points, "sqeuclidean"), axis=1)[:, FEWEST - 1]


def marked(points: Floats, centres: Floats, squares: Floats) -> NDArray[np.bool_]:
    return have_points(points, centres, squares, SWEEP, FEWEST)


@pytest.mark.parametrize("unit", [1e-120, 1.0, 1e9, 1e120])
def test_a_ball_is_marked_if_its_third_nearest_point_is_inside(unit: float) -> None:
    points, centres = drawn(0)
    squares = np.random.default_rng(1).uniform(0.5, 1.5, 300) * third_nearest(points, centres, 0.5)

    found = marked(unit * points, unit * centres, unit**2 * squares)

    expected = [third_nearest(points, centres, s) <= squares for s in SWEEP]
    np.testing.assert_array_equal(found, expected)
    assert 0.2 < found[1].mean() < 0.8


@pytest.mark.parametrize(("share", "inside"), [(1 + 1e-11, True), (1 - 1e-11, False)])
def test_a_point_that_float32_cannot_place_is_placed_in_float64(share: float, inside: bool) -> None:
    points, centres = drawn(2)

    found = marked(points, centres, share * third_nearest(points, centres, 0.5))

    assert (found[1] == inside).all()


@pytest.mark.parametrize("away", [1e3, 1e7])
def test_the_reference_may_be_far_away(away: float) -> None:
    points, centres = drawn(4)
    squares = np.random.default_rng(1).uniform(0.5, 1.5, 300) * third_nearest(points, centres, 0.5)
    expected = third_nearest(points, centres, 0.5) <= squares

    # At s = 0.5, points and centres move by the same vector.
    found = marked(points + 2 * away, centres + away, squares)

    np.testing.assert_array_equal(found[1], expected)
    assert 0.2 < found[1].mean() < 0.8
    assert not found[[0, 2]].any()


def test_one_point_far_away_does_not_blur_the_others() -> None:
    points, centres = drawn(3)
    points[7] *= 1e6
    squares = 1.001 * third_nearest(points, centres, 0.5)

    found = marked(points, centres, squares)

    np.testing.assert_array_equal(
        found, [third_nearest(points, centres, s) <= squares for s in SWEEP]
    )


def test_points_and_centres_at_the_reference_are_inside() -> None:
    origin = np.zeros((300, D))
    assert marked(origin, origin, np.zeros(300)).all()

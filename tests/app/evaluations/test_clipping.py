"""The clipping of points to a ball around the buyer's mean."""

import numpy as np
import pytest

from app.evaluations.privacy.clipping import clip_to_ball
from wassay.transport import Measure, wasserstein

D = 3


def test_points_in_the_ball_keep_their_distances_and_others_move_to_its_surface(
    random: np.random.Generator,
) -> None:
    buyer = Measure(random.normal(100.0, 1, (20, D)))
    far = Measure(np.vstack([buyer.points[:5], [[900.0, 100.0, 100.0]], [buyer.mean]]))
    pulled, centre = clip_to_ball(far, buyer, 6.0), clip_to_ball(buyer, buyer, 6.0)
    np.testing.assert_allclose(pulled.points[:5], centre.points[:5], atol=1e-12)
    np.testing.assert_allclose(
        np.linalg.norm(pulled.points[:2, None] - centre.points, axis=2),
        np.linalg.norm(far.points[:2, None] - buyer.points, axis=2),
        atol=1e-11,
    )
    assert np.linalg.norm(pulled.points[5]) == pytest.approx(6.0)
    np.testing.assert_allclose(pulled.points[6], 0, atol=1e-12)


def test_one_record_changes_a_squared_distance_by_no_more_than_its_sensitivity(
    random: np.random.Generator,
) -> None:
    buyer = Measure(random.normal(size=(15, D)))
    points = random.normal(size=(12, D)) * 3
    whole = wasserstein(clip_to_ball(buyer, buyer, 2.0), clip_to_ball(Measure(points), buyer, 2.0))
    for place in range(12):
        other = points.copy()
        other[place] = random.normal(size=D) * 100
        moved = wasserstein(
            clip_to_ball(buyer, buyer, 2.0), clip_to_ball(Measure(other), buyer, 2.0)
        )
        assert abs(moved.value**2 - whole.value**2) <= 4.0**2 / 12

"""Linear discriminants of a buyer's classes, each for points that they were not computed from."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import eigh
from sklearn.covariance import empirical_covariance, shrunk_covariance

from wassay.transport import Measure
from wassay.transport.scoring import discriminants as module
from wassay.transport.scoring.discriminants import SHRINKAGE, discriminants


def classified(size: int, dimension: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    random = np.random.default_rng(0)
    classes = random.integers(3, size=size)
    centres = random.normal(scale=2.0, size=(3, dimension))
    return centres[classes] + random.normal(size=(size, dimension)), classes


def test_they_maximise_the_variance_between_classes_over_that_within_in_the_other_quarters() -> (
    None
):
    points, classes = classified(90, 5)
    found = discriminants(Measure(points), classes)
    assert sorted(np.concatenate([each.rows for each in found])) == list(range(90))
    for each in found:
        others = np.setdiff1d(np.arange(90), each.rows)
        means = np.array(
            [points[others][classes[others] == each].mean(axis=0) for each in range(3)]
        )
        within = shrunk_covariance(
            empirical_covariance(points[others] - means[classes[others]]), SHRINKAGE
        )
        between = empirical_covariance(means[classes[others]])
        expected = eigh(between, within)[1][:, :-3:-1]
        signs = np.sign((expected * each.directions).sum(axis=0))
        np.testing.assert_allclose(each.directions, expected * signs, atol=1e-9)


def test_neither_an_isometry_nor_the_scale_of_points_moves_their_images() -> None:
    points, classes = classified(60, 4)
    rotation, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))
    moved = 0.3 * points @ rotation + 7.0
    pairs = zip(
        discriminants(Measure(points), classes), discriminants(Measure(moved), classes), strict=True
    )
    for plain, other in pairs:
        image, other_image = points @ plain.directions, (moved - 7.0) @ other.directions
        np.testing.assert_allclose(image @ image.T, other_image @ other_image.T, atol=1e-8)


def test_points_without_mass_do_not_count() -> None:
    points, classes = classified(40, 3)
    weights = np.append(np.full(40, 1 / 40), 0.0)
    more = Measure(np.vstack([points, [[99.0] * 3]]), weights)
    pairs = zip(
        discriminants(more, np.append(classes, 5)),
        discriminants(Measure(points), classes),
        strict=True,
    )
    for weighted, plain in pairs:
        np.testing.assert_array_equal(weighted.rows, plain.rows)
        np.testing.assert_allclose(weighted.directions, plain.directions, atol=1e-12)


def test_of_many_points_a_sample_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    points, classes = classified(400, 3)
    monkeypatch.setattr(module, "MOST_POINTS", 60)
    found = discriminants(Measure(points), classes)
    assert sum(len(each.rows) for each in found) == 400
    assert all(np.isfinite(each.directions).all() for each in found)


@pytest.mark.parametrize(
    ("points", "classes"),
    [
        (np.arange(8.0)[:, None], [0, 1] * 4),
        (np.eye(8), [0] * 8),
        (np.eye(8), [0] * 7 + [1]),
        (np.eye(8), list(range(8))),
        (np.zeros((8, 1_001)), [0, 1] * 4),
    ],
)
def test_there_are_none_without_two_repeated_classes_and_several_dimensions(
    points: NDArray[np.float64], classes: list[int]
) -> None:
    assert discriminants(Measure(points), classes) == []


def test_points_that_are_all_alike_have_finite_ones() -> None:
    for each in discriminants(Measure(np.zeros((8, 2))), [0, 1] * 4):
        assert np.isfinite(each.directions).all()

import dataclasses
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from wassay.transport import InvalidMeasure, Measure


def test_weights_default_to_uniform() -> None:
    measure = Measure([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]])
    assert measure.weights.tolist() == [0.25] * 4
    assert (measure.size, measure.dimension) == (4, 2)
    assert measure.mean.tolist() == [3.0, 4.0]


def test_the_mean_is_weighted() -> None:
    assert Measure([[0.0], [4.0]], [0.75, 0.25]).mean.tolist() == [1.0]


@pytest.mark.parametrize(
    "points",
    [
        np.asfortranarray(np.arange(6.0).reshape(3, 2)),
        np.arange(12.0).reshape(3, 4)[:, ::2],
        np.arange(6, dtype=np.float32).reshape(3, 2),
        np.arange(6, dtype=np.int16).reshape(3, 2),
        [[0, 1], [2, 3], [4, 5]],
    ],
)
def test_points_become_contiguous_read_only_float64(points: ArrayLike) -> None:
    measure = Measure(points)
    assert measure.points.dtype == np.float64
    assert measure.points.flags.c_contiguous
    assert np.array_equal(measure.points, points)
    with pytest.raises(ValueError, match="read-only"):
        measure.points[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        measure.weights[0] = 1.0


def test_a_measure_does_not_follow_later_changes_of_the_array_it_was_made_from() -> None:
    points, weights = np.zeros((2, 1)), np.array([0.5, 0.5])
    measure = Measure(points, weights)
    points[0], weights[0] = 9.0, 9.0
    assert measure.points[0, 0] == 0.0
    assert measure.weights[0] == 0.5


def test_rows_of_different_lengths_are_rejected_as_such() -> None:
    with pytest.raises(InvalidMeasure, match="equally many coordinates in every row"):
        Measure([[0.0, 1.0], [2.0]])
    with pytest.raises(InvalidMeasure, match="one list of numbers"):
        Measure([[0.0], [1.0]], [[0.5], [0.25, 0.25]])


def test_points_whose_squared_distances_vanish_are_refused() -> None:
    with pytest.raises(InvalidMeasure, match="Scale the points up"):
        Measure([[1e-170, 0.0], [0.0, 2e-170]])
    assert Measure([[1e-170, 0.0], [0.0, 1.0]]).size == 2
    assert Measure([[0.0, 0.0]]).size == 1


def test_a_measure_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Measure([[0.0]]).points = np.ones((1, 1))  # type: ignore[misc]


@pytest.mark.parametrize(
    "points", [[], [[]], [1.0, 2.0], np.zeros((2, 2, 2)), np.zeros((0, 3)), np.zeros((3, 0))]
)
def test_points_of_another_shape_are_refused(points: ArrayLike) -> None:
    with pytest.raises(InvalidMeasure, match="shape"):
        Measure(points)


@pytest.mark.parametrize("points", [[["a"]], [[1j]], [[True]], [[None]]])
def test_points_that_are_not_real_numbers_are_refused(points: Any) -> None:
    with pytest.raises(InvalidMeasure, match=r"real numbers, received .*: convert them"):
        Measure(points)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_the_first_point_that_is_not_finite_is_named(bad: float) -> None:
    points = np.zeros((5, 3))
    points[2, 1] = points[4, 0] = bad
    with pytest.raises(InvalidMeasure, match="row 2, column 1") as caught:
        Measure(points)
    assert caught.value.index == 2


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1e-300])
def test_the_first_invalid_weight_is_named(bad: float) -> None:
    with pytest.raises(InvalidMeasure, match="index 1") as caught:
        Measure(np.zeros((3, 1)), [0.5, bad, 0.5])
    assert caught.value.index == 1


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.0, 0.0], "received only zeros"),
        ([0.5, 0.5 + 1e-8], "sum to 1"),
        ([1.0, 1.0], "sum to 1"),
        ([1.0], "shape"),
        ([[0.5], [0.5]], "shape"),
        (["x", "y"], "real numbers"),
    ],
)
def test_weights_that_are_not_probabilities_are_rejected(
    weights: list[float] | list[list[float]] | list[str], message: str
) -> None:
    with pytest.raises(InvalidMeasure, match=message):
        Measure(np.zeros((2, 1)), weights)


def test_weights_that_sum_to_one_up_to_rounding_are_not_rescaled() -> None:
    given = np.array([0.5, 0.5 + 1e-10])
    assert np.array_equal(Measure(np.zeros((2, 1)), given).weights, given)


MASKED = np.ma.array([[0.0, -9999.0], [1.0, 2.0]], mask=[[False, True], [False, False]])


@pytest.mark.parametrize(
    "points",
    [MASKED, MASKED.astype(int), list(MASKED), [[1.0, 2.0], MASKED[0]], [[1.0, np.ma.masked]]],
)
def test_masked_points_are_rejected(points: ArrayLike) -> None:
    with pytest.raises(
        InvalidMeasure, match=r"expected points without a mask, received .* at index \d, 1:"
    ):
        Measure(points)


def test_the_first_masked_entry_is_named() -> None:
    with pytest.raises(InvalidMeasure) as caught:
        Measure(MASKED[::-1])
    assert caught.value.index == 1
    with pytest.raises(InvalidMeasure, match=r"expected weights without a mask.* at index 1"):
        Measure([[0.0], [1.0]], np.ma.array([1.0, 0.0], mask=[False, True]))


def test_a_masked_array_without_masked_entries_is_accepted() -> None:
    assert Measure(MASKED[1:]).points.tolist() == [[1.0, 2.0]]
    assert Measure(np.ma.array([[1.0, 2.0]])).points.tolist() == [[1.0, 2.0]]


def test_float32_weights_may_be_off_by_rounding_and_are_normalised() -> None:
    exact = np.random.default_rng(1).dirichlet(np.ones(100))
    given = exact.astype(np.float32)
    off = abs(float(given.astype(np.float64).sum()) - 1)
    assert 1e-9 < off < 1e-6
    weights = Measure(np.zeros((100, 1)), given).weights
    assert abs(weights.sum() - 1) < 1e-15 * 10
    np.testing.assert_allclose(weights, exact, rtol=1e-6)
    with pytest.raises(InvalidMeasure, match="sum to 1 within 1e-06"):
        Measure(np.zeros((100, 1)), given * np.float32(1.00001))


def test_points_that_nobody_can_write_are_not_copied() -> None:
    points = np.ones((3, 2))
    assert not np.shares_memory(Measure(points).points, points)
    points.flags.writeable = False
    assert np.shares_memory(Measure(points).points, points)
    assert not np.shares_memory(
        Measure(points[1:]).points, points
    )  # the owner of the memory can write to it

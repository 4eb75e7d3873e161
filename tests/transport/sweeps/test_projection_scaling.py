"""Estimates of raw distances from distances of random projections."""

import itertools

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from wassay.transport import (
    DistanceBand,
    Measure,
    ProjectionScaling,
    RandomProjection,
    TransportError,
)

Points = NDArray[np.float64]
DIGITS, LABELS = load_digits(return_X_y=True)
DIGITS = DIGITS / 16


def w2(first: Points, second: Points) -> float:
    return float(np.sqrt(ot.emd2([], [], ot.dist(first, second))))


def test_the_estimate_is_scaled_by_the_root_of_d_over_r() -> None:
    assert ProjectionScaling(64, 16).scaled(3.0).value == 6.0
    assert ProjectionScaling(64, 16).scaled(3.0).interval is None


def test_a_range_holds_the_raw_distances_whose_projections_come_as_near() -> None:
    band = DistanceBand(raw=(2.0, 4.0, 8.0), low=(1.0, 2.0, 4.0), high=(2.0, 3.0, 6.0))
    # A raw distance of 4 projects to 2 at least, one of 2 to 2 at most.
    assert band.raw_range(2.0) == (2.0, 4.0)
    assert band.raw_range(12.0) == (16.0, 24.0)
    assert band.raw_range(0.5) == (0.5, 1.0)
    scaling = ProjectionScaling(4, 1, (band, DistanceBand((2.0,), (1.5,), (1.8,))))
    assert scaling.scaled(2.0).interval == pytest.approx((2.0, 4.0))
    # The interval contains the scaled distance, and nothing below that of the projections.
    assert scaling.scaled(0.5).interval == pytest.approx((0.5, 1.0))


@pytest.mark.parametrize("ends", [(), (0.0, 1.0), (2.0, 1.0), (1.0, np.inf), (1.0, np.nan, 2.0)])
def test_bands_are_of_positive_distances_in_order(ends: tuple[float, ...]) -> None:
    with pytest.raises(TransportError, match="expected"):
        DistanceBand(ends, ends, ends)


@pytest.fixture(scope="module")
def calibrated() -> list[tuple[Points, ProjectionScaling]]:
    buyers = [DIGITS[:60], DIGITS[60:120]]
    return [(buyer, ProjectionScaling.calibrate(Measure(buyer), 16)) for buyer in buyers]


@pytest.mark.parametrize("kind", ["same", "some classes", "half inverted", "larger"])
def test_raw_distances_to_other_digits_are_in_the_range(
    calibrated: list[tuple[Points, ProjectionScaling]], random: np.random.Generator, kind: str
) -> None:
    inside = []
    rest = np.arange(120, len(DIGITS))
    for draw, (buyer, scaling) in itertools.product(range(8), calibrated):
        permutation = random.permutation(rest)
        if kind == "some classes":
            permutation = permutation[LABELS[permutation] < 4]
        seller = DIGITS[permutation[:70]]
        if kind == "half inverted":
            seller[::2] = 1 - seller[::2]
        if kind == "larger":
            seller *= 1.5
        projection = RandomProjection(64, 16, bytes([draw]) * 32).matrix.T
        interval = scaling.scaled(w2(buyer @ projection, seller @ projection)).interval
        assert interval is not None
        inside.append(interval[0] <= w2(buyer, seller) <= interval[1])
    assert np.mean(inside) >= 0.75


def test_the_same_points_give_the_same_range_and_weightless_ones_do_not_count() -> None:
    weights = np.r_[np.full(30, 1 / 30), np.zeros(30)]
    first = ProjectionScaling.calibrate(Measure(DIGITS[:60], weights), 16, 1)
    assert first == ProjectionScaling.calibrate(Measure(DIGITS[:30]), 16, 1)
    assert len(first.bands) == 3


@pytest.mark.parametrize("points", [np.zeros((30, 4)), np.arange(28.0).reshape(7, 4)])
def test_too_few_points_or_places_give_no_range(points: Points) -> None:
    assert ProjectionScaling.calibrate(Measure(points), 2).bands == ()


@pytest.mark.parametrize("reduced", [0, 4])
def test_it_scales_from_fewer_dimensions(reduced: int) -> None:
    with pytest.raises(TransportError, match=f"expected 1 to 3 dimensions, received {reduced}"):
        ProjectionScaling(4, reduced)


def test_more_points_than_those_calibrated_on_are_nearer_each_other_and_in_the_range(
    random: np.random.Generator,
) -> None:
    buyer, seller = random.normal(size=(2, 400, 16))
    projection = RandomProjection(16, 4, bytes(32)).matrix.T
    scaling = ProjectionScaling.calibrate(Measure(buyer), 4)
    interval = scaling.scaled(w2(buyer @ projection, seller @ projection)).interval
    assert interval is not None
    assert interval[0] <= w2(buyer, seller) <= interval[1]

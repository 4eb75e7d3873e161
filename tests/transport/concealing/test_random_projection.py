"""Random projections: how P is derived, and what projecting does to norms and distances."""

import hashlib

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn.datasets import load_digits

from wassay.transport import Measure, Power, RandomProjection, TransportError, wasserstein

KEY = bytes(range(32))


def drawn(dimension: int, reduced: int, count: int) -> list[RandomProjection]:
    keys = [hashlib.sha256(bytes([i])).digest() for i in range(count)]
    return [RandomProjection(dimension, reduced, key) for key in keys]


def test_the_rows_are_normal_numbers_of_the_key_made_orthonormal() -> None:
    stream = hashlib.shake_256(b"wassay projection 1 7 3\0" + KEY).digest(8 * 21)
    words = [int.from_bytes(stream[8 * i : 8 * i + 8], "little") for i in range(21)]
    rows: list[NDArray[np.float64]] = []
    for row in stats.norm.ppf([((word >> 12) + 0.5) / 2**52 for word in words]).reshape(3, 7):
        for unit in rows:
            row -= (unit @ row) * unit
        rows.append(row / np.linalg.norm(row))
    np.testing.assert_allclose(RandomProjection(7, 3, KEY).matrix, rows, atol=1e-14)


@pytest.mark.parametrize(("dimension", "reduced"), [(2, 1), (64, 16), (300, 299)])
def test_the_rows_are_orthonormal(dimension: int, reduced: int) -> None:
    matrix = RandomProjection(dimension, reduced, KEY).matrix
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(reduced), atol=1e-13)


def test_squared_norms_shrink_to_a_share_with_the_beta_distribution() -> None:
    dimension, reduced = 20, 5
    point = Measure([np.arange(dimension)])
    shares = [
        float((each.apply(point).points ** 2).sum() / (point.points**2).sum())
        for each in drawn(dimension, reduced, 250)
    ]
    assert np.mean(shares) == pytest.approx(reduced / dimension, rel=0.1)
    beta = stats.beta(reduced / 2, (dimension - reduced) / 2)
    assert stats.kstest(shares, beta.cdf).pvalue > 0.01


@pytest.mark.parametrize("order", [1, 2])
def test_no_distance_of_projections_exceeds_pots_distance_of_the_points(order: Power) -> None:
    digits = load_digits().data / 16
    first, other = Measure(digits[:30]), Measure(1 - digits[30:75])
    kind = "sqeuclidean" if order == 2 else "euclidean"
    cost = ot.dist(first.points, other.points, kind)
    raw = ot.emd2(first.weights, other.weights, cost) ** (1 / order)
    shares = []
    for projection in drawn(64, 16, 20):
        reduced = wasserstein(projection.apply(first), projection.apply(other), p=order).value
        assert reduced <= raw
        shares.append(reduced / raw)
    assert np.mean(shares) == pytest.approx((16 / 64) ** 0.5, rel=0.15)


def test_weights_stay() -> None:
    measure = Measure(np.eye(3), [0.5, 0.3, 0.2])
    np.testing.assert_array_equal(
        RandomProjection(3, 2, KEY).apply(measure).weights, measure.weights
    )


def test_every_draw_has_a_key_of_its_own_which_logs_do_not_show() -> None:
    first, other = RandomProjection.draw(4, 2), RandomProjection.draw(4, 2)
    assert first.key != other.key
    assert repr(first) == "RandomProjection(dimension=4, reduced=2, derivation=1)"


@pytest.mark.parametrize("reduced", [0, 4, 5])
def test_it_reduces_the_dimension(reduced: int) -> None:
    with pytest.raises(TransportError, match="expected 1 to 3 dimensions to project to"):
        RandomProjection(4, reduced, KEY)


def test_parameters_out_of_range_are_refused_before_anything_is_allocated() -> None:
    with pytest.raises(TransportError, match="32 bytes, received 3"):
        RandomProjection(4, 2, b"key")
    with pytest.raises(TransportError, match="derivation 1, received 2"):
        RandomProjection(4, 2, KEY, 2)
    with pytest.raises(TransportError, match="received 100000 × 1000000: project to fewer"):
        RandomProjection(1_000_000, 100_000, KEY)


def test_points_of_another_dimension_are_refused() -> None:
    with pytest.raises(TransportError, match="expected points of dimension 4"):
        RandomProjection(4, 2, KEY).apply(Measure(np.eye(3)))

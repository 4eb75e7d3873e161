import hashlib
import math
from collections.abc import Callable

import numpy as np
import ot
import pytest
from numpy.typing import NDArray
from scipy import stats
from scipy.fft import dct
from scipy.spatial.distance import cdist, pdist
from sklearn.datasets import load_digits

from wassay.transport import (
    Isometry,
    Measure,
    Normal,
    Power,
    Reference,
    TransportError,
    project,
    scale_hiding,
    wasserstein,
)
from wassay.transport.concealing import isometry as isometry_module

KEY = bytes(range(32))
BASIS_OF_THREE = Measure(np.eye(3))


def words(purpose: str, dimension: int, count: int, key: bytes = KEY) -> list[int]:
    label = f"wassay isometry 1 {purpose} {dimension}".encode()
    stream = hashlib.shake_256(label + b"\x00" + key).digest(8 * count)
    return [int.from_bytes(stream[8 * i : 8 * i + 8], "little") for i in range(count)]


def normals(purpose: str, dimension: int, count: int) -> list[float]:
    return [
        float(stats.norm.ppf(((word >> 12) + 0.5) / 2**52))
        for word in words(purpose, dimension, count)
    ]


def gram_schmidt(columns: list[list[float]]) -> list[list[float]]:
    made: list[list[float]] = []
    for column in columns:
        rest = list(column)
        for _ in range(2):  # two passes are enough (Kahan)
            for unit in made:
                share = math.fsum(a * b for a, b in zip(unit, rest, strict=True))
                rest = [a - share * b for a, b in zip(rest, unit, strict=True)]
        length = math.sqrt(math.fsum(a * a for a in rest))
        made.append([a / length for a in rest])
    return made


def rotation(isometry: Isometry) -> np.ndarray:
    """Return the isometry's matrix Q, from the images of the origin and the unit vectors."""
    basis = Measure(np.vstack([np.zeros(isometry.dimension), np.eye(isometry.dimension)]))
    moved = isometry.apply(basis).points
    return np.asarray(moved[1:] - moved[0]).T


@pytest.mark.parametrize("dimension", [1, 2, 5, 12])
def test_the_rotation_is_the_columns_of_normal_numbers_made_orthonormal(dimension: int) -> None:
    flat = normals("rotation", dimension, dimension**2)
    columns = [flat[j::dimension] for j in range(dimension)]
    expected = np.array(gram_schmidt(columns)).T
    np.testing.assert_allclose(rotation(Isometry(dimension, KEY, 1.0)), expected, atol=1e-12)


def test_a_lapack_of_other_signs_gives_the_same_rotation() -> None:
    dimension = 40
    matrix = np.reshape(normals("rotation", dimension, dimension**2), (dimension, dimension))
    upper = np.linalg.cholesky(matrix.T @ matrix).T
    by_cholesky = np.linalg.solve(upper.T, matrix.T).T
    np.testing.assert_allclose(rotation(Isometry(dimension, KEY, 1.0)), by_cholesky, atol=1e-9)


def test_the_translation_is_scaled_normal_numbers() -> None:
    expected = 8.0 * np.array(normals("translation", 6, 6))
    np.testing.assert_allclose(Isometry(6, KEY, 8.0).translation, expected, rtol=1e-12)


def test_the_fast_rotation_is_three_rounds_of_signs_cosines_and_permutation() -> None:
    dimension = 4097
    point = np.random.default_rng(3).normal(size=dimension)
    frequencies = np.arange(dimension)[:, None]
    cosines = np.cos(np.pi * frequencies * (2 * np.arange(dimension) + 1) / (2 * dimension))
    cosines *= np.sqrt(2 / dimension)
    cosines[0] /= np.sqrt(2)
    expected = point
    for number in (1, 2, 3):
        signs = [-1.0 if word & 1 else 1.0 for word in words(f"signs {number}", dimension, 4097)]
        order = words(f"order {number}", dimension, dimension)
        mixed = cosines @ (expected * signs)
        expected = mixed[sorted(range(dimension), key=order.__getitem__)]
    isometry = Isometry(dimension, KEY, 1.0)
    moved = isometry.apply(Measure([point])).points[0] - isometry.translation
    np.testing.assert_allclose(moved, expected, atol=1e-10)


@pytest.mark.parametrize("dimension", [1, 3, 64, 800, 4099, 20_000])
def test_distances_are_preserved(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    points = random.normal(3.0, 2.0, size=(20, dimension))
    measure = Measure(points)
    moved = Isometry(dimension, KEY, scale_hiding(measure)).apply(measure).points
    np.testing.assert_allclose(pdist(moved), pdist(points), rtol=1e-9)
    if dimension > 1:
        assert np.abs(moved - points).min() > 0


def test_sparse_records_are_spread_over_all_coordinates_in_high_dimension() -> None:
    moved = rotation_of_unit_vectors(4100, 10)
    assert np.abs(moved).max() < 0.1
    assert stats.kstest(moved.ravel() * np.sqrt(4100), "norm").pvalue > 0.001


def rotation_of_unit_vectors(dimension: int, count: int) -> np.ndarray:
    isometry = Isometry(dimension, KEY, 1.0)
    return isometry.apply(Measure(np.eye(count, dimension))).points - isometry.translation


def test_rotations_have_haars_moments() -> None:
    draws = 4000
    matrices = np.array([rotation(Isometry(3, i.to_bytes(32), 1.0)) for i in range(draws)])
    identity = np.eye(3)
    np.testing.assert_allclose(
        matrices @ matrices.transpose(0, 2, 1), np.broadcast_to(identity, (draws, 3, 3)), atol=1e-12
    )
    # E Q = 0, E Q_ij² = 1/3, E Q_ij⁴ = 3/15, and both orientations are as likely.
    np.testing.assert_allclose(matrices.mean(axis=0), 0, atol=5 / np.sqrt(3 * draws))
    np.testing.assert_allclose((matrices**2).mean(axis=0), 1 / 3, atol=5 * 0.3 / np.sqrt(draws))
    np.testing.assert_allclose((matrices**4).mean(axis=0), 1 / 5, atol=5 * 0.27 / np.sqrt(draws))
    assert abs(np.linalg.det(matrices).mean()) < 5 / np.sqrt(draws)
    # Archimedes: a coordinate of a uniform point of the sphere is uniform on [−1, 1].
    for row in range(3):
        for column in range(3):
            entries = matrices[:, row, column]
            assert stats.kstest(entries, stats.uniform(-1, 2).cdf).pvalue > 1e-4


def test_another_key_gives_an_unrelated_isometry() -> None:
    points = Measure(np.random.default_rng(0).normal(size=(5, 8)))
    first = Isometry(8, KEY, 1.0).apply(points).points
    other = Isometry(8, KEY[:-1] + b"\x00", 1.0).apply(points).points
    assert np.abs(first - other).max() > 0.1
    np.testing.assert_array_equal(first, Isometry(8, KEY, 1.0).apply(points).points)


def test_drawn_keys_differ_and_are_hidden_from_repr() -> None:
    drawn = {Isometry.draw(4, 1.0).key for _ in range(8)}
    assert len(drawn) == 8
    assert KEY.hex() not in repr(Isometry(4, KEY, 1.0))
    assert repr(KEY) not in repr(Isometry(4, KEY, 1.0))


@pytest.mark.parametrize("p", [1, 2])
def test_distances_and_mean_shifts_of_pushed_digits_are_preserved(p: Power) -> None:
    images = load_digits().data / 16
    buyer, seller = Measure(images[:60]), Measure(images[100:180])
    gamma = Reference(1, 64, Normal(), 5).measure()
    pushed, answer = project(buyer, gamma).interpolate(0.3), project(seller, gamma).interpolate(0.5)
    isometry = Isometry(64, KEY, scale_hiding(buyer))
    sealed, sealed_answer = isometry.apply(pushed), isometry.apply(answer)
    expected = wasserstein(pushed, answer, p).value
    assert wasserstein(sealed, sealed_answer, p).value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(
        cdist(sealed.points, sealed_answer.points), cdist(pushed.points, answer.points), rtol=1e-9
    )
    assert np.linalg.norm(sealed.mean - sealed_answer.mean) == pytest.approx(
        np.linalg.norm(pushed.mean - answer.mean), rel=1e-9
    )


def test_other_data_of_the_same_kind_recognises_half_of_the_records() -> None:
    images = np.random.default_rng(0).permutation(load_digits().data / 16)
    secret, similar = images[:300], images[300:]
    sealed = Isometry(64, KEY, scale_hiding(Measure(secret))).apply(Measure(secret)).points
    rotation = signed_axes(sealed) @ signed_axes(similar).T
    centre = similar.mean(axis=0)
    before: NDArray[np.float64] = np.empty(0)
    for _ in range(40):
        guess = (sealed - sealed.mean(axis=0)) @ rotation + centre
        plan = ot.emd([], [], ot.dist(guess, similar))
        if np.array_equal(plan, before):
            break  # the iteration has converged
        before = plan
        targets = len(guess) * plan @ similar
        centre = targets.mean(axis=0)
        left, _, right = np.linalg.svd((sealed - sealed.mean(axis=0)).T @ (targets - centre))
        rotation = left @ right
    nearest = cdist(guess, secret).argmin(axis=1)
    assert 0.4 < (nearest == np.arange(300)).mean() < 0.7


def signed_axes(points: np.ndarray) -> np.ndarray:
    """Return principal axes as columns, each with the sign that makes the skewness positive."""
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2].T
    return np.asarray(axes * np.sign(((centred @ axes) ** 3).mean(axis=0)))


@pytest.mark.parametrize(
    ("times", "at_least", "at_most"), [(1, 0.5, 1.0), (16, 0.03, 0.055), (64, 0.008, 0.014)]
)
def test_norms_far_above_the_scale_can_be_estimated_to_about_the_scale(
    times: int, at_least: float, at_most: float
) -> None:
    d = 8
    directions = np.random.default_rng(0).normal(size=(20, d))
    far = Measure(times * directions / np.linalg.norm(directions, axis=1, keepdims=True))
    errors = []
    for number in range(100):
        isometry = Isometry(d, hashlib.sha256(bytes([number])).digest(), scale=1.0)
        squares = (isometry.apply(far).points ** 2).sum(axis=1)
        read = np.sqrt(np.maximum(squares - d, 0.0))  # ‖v‖² is d on average
        errors.append(np.abs(read / times - 1))
    assert at_least <= np.median(errors) <= at_most


def test_weights_are_preserved() -> None:
    measure = Measure(np.eye(3), [0.5, 0.3, 0.2])
    np.testing.assert_array_equal(Isometry(3, KEY, 1.0).apply(measure).weights, measure.weights)


@pytest.mark.parametrize(("largest", "scale"), [(0.0, 1.0), (1.0, 1.0), (3.0, 4.0), (0.1, 0.125)])
def test_the_hiding_scale_is_the_next_power_of_two(largest: float, scale: float) -> None:
    assert scale_hiding(Measure([[largest, 0.0], [0.0, 0.0]])) == scale


def test_coordinates_below_2_to_the_500_are_hidden_and_those_of_it_refused() -> None:
    assert scale_hiding(Measure([[np.nextafter(2.0**500, 0)]])) == 2.0**500
    with pytest.raises(TransportError, match="scale the points down"):
        scale_hiding(Measure([[-(2.0**500)]]))


def test_haars_distribution_is_drawn_up_to_the_largest_dimension_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dense = rotation(Isometry(5, KEY, 1.0))
    monkeypatch.setattr(isometry_module, "LARGEST_HAAR_DIMENSION", 5)
    np.testing.assert_array_equal(rotation(Isometry(5, KEY, 1.0)), dense)
    monkeypatch.setattr(isometry_module, "LARGEST_HAAR_DIMENSION", 4)
    assert np.abs(rotation(Isometry(5, KEY, 1.0)) - dense).max() > 0.1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Isometry(0, KEY, 1.0), "dimension"),
        (lambda: Isometry(2, KEY[:16], 1.0), "32 bytes"),
        (lambda: Isometry(2, KEY, 0.0), "scale"),
        (lambda: Isometry(2, KEY, float("inf")), "scale"),
        (lambda: Isometry(2, KEY, 1.0, 2), "derivation"),
        (lambda: Isometry(2, KEY, 1.0).apply(BASIS_OF_THREE), "expected points of dimension 2"),
        (lambda: scale_hiding(Measure([[1e305]])), "scale the points down"),
    ],
)
def test_invalid_isometries_are_rejected(make: Callable[[], object], message: str) -> None:
    with pytest.raises(TransportError, match=message):
        make()


def test_the_isometry_of_derivation_1_never_changes() -> None:
    moved = Isometry(3, KEY, 2.0).apply(BASIS_OF_THREE).points
    np.testing.assert_allclose(moved, FROZEN, rtol=1e-12)


@pytest.mark.parametrize("dimension", [1, 2, 5, 64, 4097])
def test_the_cosine_transform_is_scipys_orthonormal_dct(dimension: int) -> None:
    rows = np.random.default_rng(1).normal(size=(3, dimension))
    expected = dct(rows, type=2, norm="ortho", axis=1)
    np.testing.assert_allclose(isometry_module._cosine_transform(rows), expected, atol=1e-13)


FROZEN = [
    [-0.5204426267453006, -2.980832040232523, 0.7103257882191744],
    [0.11885596602102932, -4.242203629170691, 0.6948653902103432],
    [-1.1040949992896065, -4.060825590927164, 0.008211952376734888],
]

import numpy as np
import ot
import pytest

from tests.transport.samples import gaussian, random_weights, weighted
from wassay.transport import (
    Measure,
    TransportError,
    interpolate,
    interpolate_exact,
    project,
    wasserstein,
)


def test_images_are_the_conditional_means_of_an_optimal_plan() -> None:
    rng = np.random.default_rng(0)
    mu, reference = weighted(rng, 30, 4), gaussian(rng, 12, 4)
    plan = ot.emd(mu.weights, reference.weights, ot.dist(mu.points, reference.points))
    expected = plan @ reference.points / mu.weights[:, None]
    projection = project(mu, reference)
    np.testing.assert_allclose(projection.images, expected, atol=1e-10)
    np.testing.assert_allclose(mu.weights @ projection.images, reference.mean, atol=1e-12)
    np.testing.assert_allclose(projection.reference_mean, reference.mean)


def test_interpolation_runs_from_the_measure_to_the_images() -> None:
    rng = np.random.default_rng(1)
    mu, reference = weighted(rng, 25, 3), gaussian(rng, 10, 3)
    projection = project(mu, reference)
    np.testing.assert_allclose(projection.interpolate(0).points, mu.points)
    np.testing.assert_allclose(projection.interpolate(1).points, projection.images)
    middle = interpolate(mu, reference, 0.25)
    np.testing.assert_allclose(middle.points, 0.75 * mu.points + 0.25 * projection.images)
    assert np.array_equal(middle.weights, mu.weights)


def test_spread_and_quadratic_coefficient_are_the_projections_second_moments() -> None:
    rng = np.random.default_rng(2)
    mu, reference = weighted(rng, 25, 3), gaussian(rng, 10, 3)
    projection = project(mu, reference)
    to_mean = ((projection.images - reference.mean) ** 2).sum(axis=1)
    to_points = ((projection.images - mu.points) ** 2).sum(axis=1)
    assert projection.spread == pytest.approx(np.sqrt(mu.weights @ to_mean))
    assert projection.quadratic_coefficient == pytest.approx(mu.weights @ to_points)


def test_a_reference_of_one_point_has_no_spread() -> None:
    mu = gaussian(np.random.default_rng(3), 20, 3)
    projection = project(mu, Measure([[1.0, 2.0, 3.0]]))
    assert projection.spread == pytest.approx(0, abs=1e-14)
    np.testing.assert_allclose(projection.images, np.tile([1.0, 2.0, 3.0], (20, 1)))


@pytest.mark.parametrize("sizes", [(15, 15), (15, 22)])
@pytest.mark.parametrize("t", [0.0, 0.3, 0.8, 1.0])
def test_exact_interpolation_is_a_geodesic(sizes: tuple[int, int], t: float) -> None:
    rng = np.random.default_rng(4)
    mu, reference = weighted(rng, sizes[0], 3), gaussian(rng, sizes[1], 3)
    whole = wasserstein(mu, reference).value
    eta = interpolate_exact(mu, reference, t)
    assert eta.size <= sum(sizes) - 1
    assert wasserstein(mu, eta).value == pytest.approx(t * whole, abs=1e-7)
    assert wasserstein(eta, reference).value == pytest.approx((1 - t) * whole, abs=1e-7)


def test_for_equal_sizes_both_interpolations_are_one_measure() -> None:
    rng = np.random.default_rng(5)
    mu, reference = gaussian(rng, 20, 3), gaussian(rng, 20, 3)
    exact, barycentric = interpolate_exact(mu, reference, 0.4), interpolate(mu, reference, 0.4)
    assert wasserstein(exact, barycentric).value == pytest.approx(0, abs=1e-9)


def test_a_point_without_mass_goes_where_a_little_mass_would() -> None:
    rng = np.random.default_rng(6)
    mu, reference = weighted(rng, 20, 3), gaussian(rng, 9, 3)
    outsider = rng.normal(size=(1, 3))
    points = np.concatenate([mu.points, outsider])
    images = project(Measure(points, np.append(mu.weights, 0.0)), reference).images
    np.testing.assert_allclose(images[:-1], project(mu, reference).images, atol=1e-10)
    little = project(Measure(points, np.append((1 - 1e-9) * mu.weights, 1e-9)), reference)
    np.testing.assert_allclose(images[-1], little.images[-1], atol=1e-6)


def test_all_mass_may_be_at_one_point() -> None:
    mu = Measure([[0.0, 0.0], [5.0, 5.0]], [1.0, 0.0])
    images = project(mu, Measure([[1.0, 0.0], [3.0, 0.0]])).images
    np.testing.assert_allclose(images[0], [2.0, 0.0])
    assert np.isfinite(images[1]).all()


@pytest.mark.parametrize("t", [-0.1, 1.1, float("nan")])
def test_pushes_outside_the_unit_interval_are_rejected(t: float) -> None:
    mu = Measure([[0.0], [1.0]])
    with pytest.raises(TransportError, match=r"\[0, 1\]"):
        interpolate(mu, mu, t)
    with pytest.raises(TransportError, match=r"\[0, 1\]"):
        interpolate_exact(mu, mu, t)


def test_weights_survive_interpolation() -> None:
    rng = np.random.default_rng(7)
    weights = random_weights(rng, 11)
    mu = Measure(rng.normal(size=(11, 2)), weights)
    assert np.array_equal(interpolate(mu, gaussian(rng, 4, 2), 0.5).weights, weights)

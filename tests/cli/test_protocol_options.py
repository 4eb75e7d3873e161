"""Options of the command line for the sweep, the reference's distribution and points' weights."""

from pathlib import Path

import numpy as np
import pytest
import typer

import wassay
from wassay.cli.point_files import weighted
from wassay.cli.protocol_options import law_of, swept
from wassay.files import read_weights
from wassay.transport import TransportError


def test_a_number_of_s_is_evenly_spaced_and_three_are_the_default() -> None:
    assert swept("3") == wassay.Protocol().sweep
    np.testing.assert_allclose(np.diff([0.0, *swept("32"), 1.0]), 1 / 33)
    assert swept("0.2,0.4,0.6") == (0.2, 0.4, 0.6)


@pytest.mark.parametrize("given", ["2", "33", "a,b,c"])
def test_a_sweep_of_something_else_is_refused(given: str) -> None:
    with pytest.raises(typer.BadParameter, match=f"received '?{given[0]}"):
        swept(given)


def test_a_reference_is_drawn_from_the_law_that_is_named() -> None:
    law = law_of("2000,gamma,2,3")
    assert law is not None
    drawn = law.draw(2)
    points = drawn.measure().points
    assert points.shape == (2000, 2)
    np.testing.assert_allclose(points.mean(axis=0), 2 * 3, rtol=0.05)
    np.testing.assert_allclose(points.var(axis=0), 2 * 3**2, rtol=0.15)
    assert law.draw(2).seed != drawn.seed


def test_a_reference_has_the_mean_and_the_spread_of_each_coordinate_in_a_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "means, stds.npy"
    np.save(path, np.array([[-3.0, 50.0], [0.5, 20.0]]))
    law = law_of(f"4000,normals,{path}")
    assert law is not None
    points = law.draw(2).measure().points
    np.testing.assert_allclose(points.mean(axis=0), [-3, 50], rtol=0.05)
    np.testing.assert_allclose(points.std(axis=0), [0.5, 20], rtol=0.05)
    with pytest.raises(TransportError, match="normals in 3 coordinates, received 2"):
        law.draw(3)
    np.save(path, np.ones((3, 2)))
    with pytest.raises(typer.BadParameter, match=r"two rows .*received 3"):
        law_of(f"1,normals,{path}")


@pytest.mark.parametrize(
    "given",
    ["normals", "1,normals,", "many", "100", "10,normal,0", "10,cauchy,0,1", "10,normal,a,b"],
)
def test_a_reference_of_something_else_is_refused(given: str) -> None:
    with pytest.raises(typer.BadParameter, match="expected"):
        law_of(given)


def test_a_reference_has_at_least_one_point() -> None:
    with pytest.raises(wassay.WassayError, match="whole number of at least 1"):
        wassay.ReferenceLaw(0)


def test_counts_of_words_become_weights(tmp_path: Path) -> None:
    np.save(tmp_path / "counts.npy", np.array([2, 1, 1]))
    measure = weighted(np.eye(3), tmp_path / "counts.npy")
    assert measure.weights.tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize("weights", [np.zeros(3), np.ones((3, 1)), np.array([np.inf, 1.0])])
def test_weights_without_a_sum_are_refused(weights: object, tmp_path: Path) -> None:
    np.save(tmp_path / "weights.npy", np.asarray(weights))
    with pytest.raises(wassay.WassayError, match=r"weights\.npy: expected"):
        read_weights(tmp_path / "weights.npy")


def test_rows_of_a_recipe_have_their_weights_in_a_column(tmp_path: Path) -> None:
    with pytest.raises(wassay.WassayError, match="role weight"):
        weighted({"a": [1.0]}, tmp_path / "weights.npy", has_recipe=True)

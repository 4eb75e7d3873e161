from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.records import Kind, normal_reference, records
from wassay.transport import (
    Classes,
    InvalidMeasure,
    Measure,
    Power,
    TransportError,
    cost_block,
    labelled_cost,
    project,
)
from wassay.transport.inversion import (
    invert_push,
    reidentified,
    relative_error,
    trilaterate,
    unpushed_cost_block,
)

EXACT = 1e-9
SWEEP = (0.25, 0.5, 0.75)


def answer(
    truth: NDArray[np.float64],
    buyer: NDArray[np.float64],
    reference: Measure,
    sweep: Iterable[float] = SWEEP,
    p: Power = 2,
) -> dict[float, NDArray[np.float64]]:
    projection = project(Measure(truth), reference)
    return {s: cost_block(projection.interpolate(s).points, buyer, p) for s in sweep}


@pytest.mark.parametrize("kind", ["digits", "gaussian"])
@pytest.mark.parametrize("k", [1, 20, 30])
@pytest.mark.parametrize("p", [1, 2])
def test_three_cost_blocks_give_the_records_to_who_holds_the_buyers_measure(
    kind: Kind, k: int, p: Power
) -> None:
    truth, wanted = records(kind, 50), records(kind, 90, seed=1)
    reference = normal_reference(k, truth.shape[1]).measure()
    # Without noise, no cost would determine the directions of the digits' constant pixels.
    noise = 0.1 * np.random.default_rng(6).normal(size=wanted.shape)
    buyer = project(Measure(wanted + noise), reference).interpolate(0.4).points
    found = trilaterate(unpushed_cost_block(answer(truth, buyer, reference, p=p), p), buyer)
    assert relative_error(truth, found.points) <= EXACT
    assert reidentified(truth, found.points) == 1
    assert found.residual <= EXACT
    assert found.complete


def test_a_buyer_who_spans_less_learns_the_projection_and_the_distance_from_it() -> None:
    truth, buyer = records("gaussian", 40), records("gaussian", 5, seed=1)
    reference = normal_reference(20, 10).measure()
    found = trilaterate(unpushed_cost_block(answer(truth, buyer, reference)), buyer)
    directions = np.linalg.svd(buyer - buyer.mean(axis=0))[2][:4]
    expected = buyer.mean(axis=0) + (truth - buyer.mean(axis=0)) @ directions.T @ directions
    assert found.rank == 4
    assert not found.complete
    np.testing.assert_allclose(found.points, expected, atol=1e-10)
    np.testing.assert_allclose(
        found.span_distances, np.linalg.norm(truth - expected, axis=1), atol=1e-7
    )
    assert relative_error(truth, found.points) > 0.5


def test_records_within_a_narrow_buyers_span_are_determined_all_the_same() -> None:
    rng = np.random.default_rng(7)
    plane = rng.normal(size=(2, 6))
    truth, buyer = rng.normal(size=(30, 2)) @ plane, rng.normal(size=(8, 2)) @ plane
    found = trilaterate(cost_block(truth, buyer), buyer)
    assert found.rank == 2
    assert found.complete
    assert relative_error(truth, found.points) <= EXACT


def test_one_cost_block_is_a_pushed_measure_and_with_the_reference_the_records() -> None:
    truth, buyer = records("gaussian", 50), records("gaussian", 30, seed=1)
    reference = normal_reference(20, 10).measure()
    pushed = trilaterate(answer(truth, buyer, reference, sweep=(0.5,))[0.5], buyer)
    seen = project(Measure(truth), reference).interpolate(0.5).points
    assert relative_error(seen, pushed.points) <= EXACT
    found = invert_push(Measure(pushed.points), reference, 0.5)
    assert relative_error(truth, found.points) <= EXACT


def test_a_buyer_of_one_point_learns_distances_alone() -> None:
    truth, buyer = records("gaussian", 20), np.ones((1, 10))
    found = trilaterate(cost_block(truth, buyer), buyer)
    assert found.rank == 0
    np.testing.assert_allclose(found.points, np.ones((20, 10)))
    np.testing.assert_allclose(found.span_distances, np.linalg.norm(truth - 1, axis=1))


def test_blocks_that_do_not_determine_a_quadratic_are_refused() -> None:
    block = np.ones((3, 2))
    with pytest.raises(TransportError, match="three values of s"):
        unpushed_cost_block({0.25: block, 0.5: block})
    with pytest.raises(TransportError, match="one shape"):
        unpushed_cost_block({0.25: block, 0.5: block, 0.75: np.ones((2, 3))})
    with pytest.raises(InvalidMeasure, match="one column for each"):
        trilaterate(block, np.ones((3, 4)))


def test_costs_that_hold_distances_of_classes_are_the_records_all_the_same() -> None:
    """Costs to two buyer's points of one class have the same distance of classes, which cancels."""
    rng = np.random.default_rng(9)
    truth, buyer = records("gaussian", 30), records("gaussian", 60, seed=1)
    y, z = rng.integers(3, size=30), rng.integers(4, size=60)
    costs = labelled_cost(
        Measure(truth),
        Classes.of(Measure(truth), y, "full"),
        Measure(buyer),
        Classes.of(Measure(buyer), z, "full"),
    )
    assert relative_error(truth, trilaterate(costs, buyer).points) > 0.01
    found = trilaterate(costs, buyer, z)
    assert found.complete
    assert found.residual <= EXACT
    assert relative_error(truth, found.points) <= EXACT


def test_classes_of_few_points_give_fewer_directions() -> None:
    truth, buyer = records("gaussian", 30), records("gaussian", 8, seed=1)
    classes = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    unknown = np.random.default_rng(2).uniform(1, 5, size=(30, 3))
    found = trilaterate(cost_block(truth, buyer) + unknown[:, classes], buyer, classes)
    within = buyer - np.array([buyer[classes == each].mean(axis=0) for each in range(3)])[classes]
    directions = np.linalg.svd(within)[2][:5]
    assert found.rank == 5
    assert not found.complete
    np.testing.assert_allclose(found.points @ directions.T, truth @ directions.T, atol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_known_points_and_distances_that_are_not_finite_are_named(bad: float) -> None:
    known, squared = np.eye(3), np.ones((4, 3))
    broken = known.copy()
    broken[1, 2] = bad
    with pytest.raises(InvalidMeasure, match=f"finite points, received {bad} in row 1, column 2"):
        trilaterate(squared, broken)
    squared[3, 1] = bad
    with pytest.raises(InvalidMeasure, match=f"distances, received {bad} in row 3, column 1"):
        trilaterate(squared, known)


def test_without_known_points_there_is_nothing_to_trilaterate_from() -> None:
    with pytest.raises(InvalidMeasure, match="at least one point"):
        trilaterate(np.empty((4, 0)), np.empty((0, 3)))

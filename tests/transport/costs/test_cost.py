import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import (
    GivenCost,
    Measure,
    PointCost,
    Power,
    StackedCost,
    TransportError,
    cost_block,
    solve,
)
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.thread_pool import ThreadPool


@pytest.mark.parametrize("dimension", [1, 2, 50, 600])
@pytest.mark.parametrize(("p", "metric"), [(1, "euclidean"), (2, "sqeuclidean")])
def test_costs_are_powers_of_euclidean_distances(dimension: int, p: Power, metric: str) -> None:
    rng = np.random.default_rng(dimension)
    rows, columns = rng.normal(size=(40, dimension)), rng.normal(size=(30, dimension)) + 100.0
    np.testing.assert_allclose(
        cost_block(rows, columns, p), cdist(rows, columns, metric), rtol=1e-10
    )


@pytest.mark.parametrize("separation", [0.0, 1e-9, 1e-6, 1e-3])
def test_near_points_far_from_the_origin_keep_their_digits(separation: float) -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 8)) + 1e4
    rows[15:] -= 2e4
    columns = rows + separation * rng.normal(size=rows.shape)
    np.testing.assert_allclose(
        cost_block(rows, columns), cdist(rows, columns, "sqeuclidean"), rtol=1e-9
    )


@pytest.mark.parametrize("unit", [1e-200, 1.0, 3e150])
def test_costs_are_scaled_by_the_median_of_those_that_are_not_zero(unit: float) -> None:
    # The largest, the mean and the median of all costs are other powers of two.
    costs = np.zeros((40, 40))
    costs[:7] = np.resize([1.0, -5.0, 20.0], (7, 40))
    costs[0, 0] = 1e9
    threads = ThreadPool(ProgressCallback(lambda: None))
    scaled = PreparedCost.normalised(GivenCost(unit * costs), None, threads)
    assert scaled.exponent == math.frexp(5.0 * unit)[1]
    assert scaled.largest == math.ldexp(1e9 * unit, -scaled.exponent)


def test_equal_points_are_at_distance_exactly_zero() -> None:
    points = np.random.default_rng(1).normal(size=(20, 5)) + 1e6
    assert (np.diag(cost_block(points, points)) == 0).all()
    assert (np.diag(cost_block(points, points, 1)) == 0).all()


def test_blocks_and_single_entries_agree_with_the_whole() -> None:
    rng = np.random.default_rng(2)
    rows, columns = Measure(rng.normal(size=(23, 4))), Measure(rng.normal(size=(11, 4)))
    cost = PointCost(rows, columns, 1)
    whole = cost_block(rows.points, columns.points, 1)
    np.testing.assert_allclose(cost.block(5, 17), whole[5:17], rtol=1e-12)
    i, j = rng.integers(0, 23, 50), rng.integers(0, 11, 50)
    np.testing.assert_allclose(cost.at(i, j), whole[i, j], rtol=1e-12)


def test_a_stack_consists_of_its_blocks() -> None:
    rng = np.random.default_rng(3)
    parts = [rng.random((size, 6)) for size in (4, 1, 7)]
    stack = StackedCost([GivenCost(part) for part in parts])
    whole = np.concatenate(parts)
    assert stack.shape == (12, 6)
    for start in range(12):
        for stop in range(start + 1, 13):
            assert np.array_equal(stack.block(start, stop), whole[start:stop])
    i, j = rng.integers(0, 12, 40), rng.integers(0, 6, 40)
    assert np.array_equal(stack.at(i, j), whole[i, j])


@pytest.mark.parametrize("rows", [3, 400])  # and more than compiled code begins with
@pytest.mark.parametrize(("p", "metric"), [(1, "euclidean"), (2, "sqeuclidean")])
def test_pairs_of_many_sellers_have_the_costs_of_their_points(
    p: Power, metric: str, rows: int
) -> None:
    rng = np.random.default_rng(5)
    buyer = Measure(rng.normal(size=(20, 4)))
    sellers = [rng.normal(size=(rows + place % 3, 4)) for place in range(50)]
    stack = StackedCost([PointCost(Measure(seller), buyer, p) for seller in sellers])
    i, j = rng.integers(0, stack.shape[0], 300), rng.integers(0, 20, 300)
    whole = cdist(np.concatenate(sellers), buyer.points, metric)
    np.testing.assert_allclose(stack.at(i, j), whole[i, j], rtol=1e-12)


def test_pairs_of_points_beside_given_costs_are_read_block_by_block() -> None:
    rng = np.random.default_rng(6)
    buyer, other = (Measure(rng.normal(size=(6, 2))) for _ in range(2))
    points, given = rng.normal(size=(5, 2)), rng.random((4, 6))
    i, j = rng.integers(0, 9, 40), rng.integers(0, 6, 40)
    for cost, expected in (
        (GivenCost(given), given),
        (PointCost(Measure(points[:4]), other), cdist(points[:4], other.points, "sqeuclidean")),
    ):
        stack = StackedCost([PointCost(Measure(points), buyer), cost])
        whole = np.concatenate([cdist(points, buyer.points, "sqeuclidean"), expected])
        np.testing.assert_allclose(stack.at(i, j), whole[i, j], rtol=1e-12)


def test_a_block_can_be_mapped_from_a_file(tmp_path: Path) -> None:
    matrix = np.random.default_rng(4).random((9, 5)).astype(np.float32)
    np.save(tmp_path / "block.npy", matrix)
    cost = GivenCost(np.load(tmp_path / "block.npy", mmap_mode="r"))
    assert cost.block(2, 6).dtype == np.float64
    assert np.array_equal(cost.block(2, 6), matrix[2:6])
    assert cost.at(np.array([8]), np.array([4])) == matrix[8, 4]


def test_invalid_costs_are_rejected() -> None:
    with pytest.raises(TransportError, match="expected measures of one dimension"):
        cost_block(np.zeros((2, 3)), np.zeros((2, 4)))
    with pytest.raises(TransportError, match="expected p = 1 or p = 2"):
        cost_block(np.zeros((2, 3)), np.zeros((2, 3)), 3)  # type: ignore[arg-type]
    with pytest.raises(TransportError, match=r"widths \[2, 3\]"):
        StackedCost([GivenCost(np.zeros((1, 2))), GivenCost(np.zeros((1, 3)))])
    with pytest.raises(TransportError, match="at least one block"):
        StackedCost([])
    for matrix in (np.zeros(3), np.zeros((0, 3)), np.zeros((2, 2), dtype=complex), [["a"]]):
        with pytest.raises(TransportError, match=r"expected .*costs"):
            GivenCost(matrix)


def test_masked_costs_are_rejected() -> None:
    masked = np.ma.array([[1.0, -9999.0], [0.0, 1.0]], mask=[[False, True], [False, False]])
    for use in (GivenCost, lambda cost: solve(cost, [0.5, 0.5], [0.5, 0.5])):
        with pytest.raises(
            TransportError, match=r"expected costs without a mask, .* at index 0, 1"
        ):
            use(masked)
    assert GivenCost(np.ma.array([[1.0]])).block(0, 1).tolist() == [[1.0]]


@pytest.mark.parametrize("kind", ["plain", "Fortran", "other byte order", "strided", "integers"])
def test_given_costs_are_read_in_any_order(kind: str, random: np.random.Generator) -> None:
    matrix = random.integers(0, 1000, size=(40, 60)).astype(np.float64)
    kinds: dict[str, NDArray[Any]] = {
        "plain": matrix,
        "Fortran": np.asfortranarray(matrix),
        "other byte order": matrix.astype(matrix.dtype.newbyteorder()),
        "strided": np.repeat(np.repeat(matrix, 2, axis=0), 3, axis=1)[::2, ::3],
        "integers": matrix.astype(np.int32),
    }
    # The first and the last of these rows, and of all columns, are where they are in order.
    rows = np.array([4, 9, 8, 5, 6, 7, 10])
    columns = np.concatenate([[0], 1 + random.permutation(58), [59]])
    cost = GivenCost(kinds[kind]).only(rows, columns)
    expected = matrix[np.ix_(rows, columns)]
    for start, stop in ((0, 7), (1, 5), (6, 7)):
        np.testing.assert_array_equal(cost.block(start, stop), expected[start:stop])
        np.testing.assert_array_equal(cost.float32_block(start, stop), expected[start:stop])
    some, others = random.integers(7, size=50), random.integers(60, size=50)
    np.testing.assert_array_equal(cost.at(some, others), expected[some, others])
    few = cost.only(np.array([2, 6, 0]), np.array([5, 3]))
    np.testing.assert_array_equal(few.block(0, 3), expected[np.ix_([2, 6, 0], [5, 3])])
    again = cost.only(np.array([2, 0]), np.array([5, 3, 4]))
    np.testing.assert_array_equal(again.block(0, 2), expected[np.ix_([2, 0], [5, 3, 4])])

"""Sinkhorn passes in float32 compared with the same sums in float64."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp

from wassay.transport.solvers.clusters.compiled_ranges import near_ranges
from wassay.transport.solvers.entropic.compiled_scans import (
    add_soft_minima,
    cheapest_columns,
    cheapest_rows,
    clustered_pass,
    extend_potentials,
    sinkhorn_pass,
)

ROWS, COLUMNS = 37, 53


def block_of(random: np.random.Generator) -> NDArray[np.float32]:
    return random.random((ROWS, COLUMNS)).astype(np.float32)


def some(random: np.random.Generator, size: int) -> NDArray[np.float32]:
    return random.random(size).astype(np.float32)


@pytest.mark.parametrize("epsilon", [1.0, 0.05, 0.02])
def test_one_pass_is_a_sinkhorn_iteration(random: np.random.Generator, epsilon: float) -> None:
    block, g = block_of(random), some(random, COLUMNS)
    f = (block - g).min(axis=1)  # the largest error that occurs in ε-scaling
    a, b = some(random, ROWS) + 0.1, some(random, COLUMNS) + 0.1
    a, b = a / a.sum(), b / b.sum()
    updated, sums = f.copy(), np.zeros(COLUMNS, np.float32)
    concentration = sinkhorn_pass(block, updated, g, a, b, b * b, np.float32(epsilon), sums)
    exponent = (g - block.astype(float)) / epsilon
    exact = -epsilon * logsumexp(exponent, b=b, axis=1)
    assert updated == pytest.approx(exact, abs=1e-4 * epsilon + 1e-6)
    plan = a[:, None] * np.exp(exponent + exact[:, None] / epsilon) * b
    assert sums * b == pytest.approx(plan.sum(axis=0), rel=1e-3)
    shares = plan / a[:, None]
    assert concentration == pytest.approx(a @ np.log((shares**2).sum(axis=1)), rel=1e-3)


def test_a_pass_over_clusters_is_one_over_the_columns_that_each_reads(
    random: np.random.Generator,
) -> None:
    block, g, epsilon = block_of(random), some(random, COLUMNS), np.float32(0.05)
    a, b = some(random, ROWS) + 0.1, some(random, COLUMNS) + 0.1
    before = (block - g).min(axis=1)
    row_starts = np.array([0, 10, 10, ROWS])
    labels = np.repeat([0, 1, 2], [17, 19, 17])  # with more, a pass would read all columns
    near = np.array([[True, False, True], [False, True, True], [True, True, True]])
    ranges = near_ranges(near, np.searchsorted(labels, np.arange(4)))
    f, sums = before.copy(), np.zeros((3, COLUMNS), np.float32)
    concentration = sum(
        clustered_pass(block, f, g, a, b, b * b, epsilon, row_starts, ranges, *part, sums)
        for part in ((0, 2), (2, 3))
    )
    expected = 0.0
    for cluster, rows in ((0, slice(0, 10)), (2, slice(10, ROWS))):
        read = near[cluster][labels]
        one, f_of_rows = np.zeros(read.sum(), np.float32), before[rows].copy()
        costs = np.ascontiguousarray(block[rows][:, read])
        expected += sinkhorn_pass(
            costs, f_of_rows, g[read], a[rows], b[read], b[read] ** 2, epsilon, one
        )
        assert f[rows] == pytest.approx(f_of_rows, abs=1e-6)
        assert sums[cluster][read] == pytest.approx(one, rel=1e-4)
        assert not sums[cluster][~read].any()
    assert concentration == pytest.approx(expected, rel=1e-5)


def test_a_pass_over_few_columns_has_the_same_bits_wherever_arrays_lie_in_memory(
    random: np.random.Generator,
) -> None:
    rows, columns, number = 90, 60, 6
    block = random.random((rows, columns)).astype(np.float32)
    g, before = some(random, columns), -some(random, rows)
    a, b = some(random, rows), some(random, columns)
    row_starts = np.arange(0, rows + 1, 15)
    near = np.eye(number, dtype=bool) | np.eye(number, k=1, dtype=bool)
    ranges = near_ranges(near, np.arange(0, columns + 1, 10))
    results: set[bytes] = set()
    held: list[NDArray[np.float32]] = []
    for _ in range(300):
        held = [*held[-20:], np.empty(random.integers(1, 200), np.float32)]
        f, sums = before.copy(), np.zeros((number, columns), np.float32)
        clustered_pass(
            block, f, g, a, b, b * b, np.float32(0.05), row_starts, ranges, 0, number, sums
        )
        results.add(f.tobytes() + sums.tobytes())
    assert len(results) == 1


def test_potentials_are_extended_to_all_columns(random: np.random.Generator) -> None:
    block, epsilon = block_of(random), np.float32(0.05)
    known = np.array([3, 4, 20, 41])
    g = some(random, len(known))
    f, least = np.empty(ROWS, np.float32), np.full(COLUMNS, np.inf, np.float32)
    extend_potentials(block, known, g, epsilon, f, least)
    exponent = (g - block[:, known].astype(float)) / epsilon
    assert f == pytest.approx(-epsilon * (logsumexp(exponent, axis=1) - np.log(4)), abs=1e-5)
    assert least == pytest.approx((block - f[:, None]).min(axis=0), abs=1e-6)


@pytest.mark.parametrize("number", [1, 4, ROWS])
def test_the_cheapest_partners_are_those_that_sorting_puts_first(
    random: np.random.Generator, number: int
) -> None:
    block, f, g = block_of(random), some(random, ROWS), some(random, COLUMNS)
    columns = np.argsort(block - g, axis=1)[:, :number]
    assert cheapest_columns(block, g, number).tolist() == columns.tolist()
    smallest = np.full((COLUMNS, number), np.inf, np.float32)
    rows = np.zeros((COLUMNS, number), np.intp)
    for start in (0, 20):  # two blocks
        part = slice(start, start + 20)
        cheapest_rows(block[part], f[part], start, smallest, rows)
    reduced = block - f[:, None]
    assert rows.tolist() == np.argsort(reduced, axis=0)[:number].T.tolist()
    assert smallest.tolist() == np.sort(reduced, axis=0)[:number].T.tolist()


@pytest.mark.parametrize("parts", [(0, COLUMNS), (0, 1, 30, COLUMNS)])
def test_soft_minima_are_the_same_whatever_is_read_at_a_time(
    random: np.random.Generator, parts: tuple[int, ...]
) -> None:
    block, g, epsilon = block_of(random), some(random, COLUMNS), np.float32(0.05)
    minima = np.full(ROWS, np.finfo(np.float32).max)
    totals = np.zeros(ROWS, np.float32)
    for first, last in pairwise(parts):
        panel = np.ascontiguousarray(block[:, first:last])
        add_soft_minima(panel, g[first:last], epsilon, minima, totals)
    exact = -epsilon * logsumexp((g - block.astype(float)) / epsilon, axis=1)
    assert minima.tolist() == (block - g).min(axis=1).tolist()
    assert minima - epsilon * np.log(totals) == pytest.approx(exact, abs=1e-5)

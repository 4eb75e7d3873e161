from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra, floyd_warshall

from wassay.transport.scoring.arcs import COMPILED_FROM, MAX_SWEEPS, Arcs
from wassay.transport.scoring.path_loops import free_arcs_forward, shortest_by_tail
from wassay.transport.scoring.shortest_paths import shortest_paths

Matrix = NDArray[np.float64]


def by_floyd_warshall(arcs: Matrix) -> Matrix:
    """Return shortest paths by scipy, given every arc: it drops very short arcs of dense graphs."""
    n = len(arcs)
    tails, heads = np.divmod(np.arange(n * n), n)
    paths: Matrix = floyd_warshall(csr_array((arcs.ravel(), (tails, heads)), shape=(n, n)))
    return paths


@pytest.mark.parametrize("size", [1, 2, 5, 60, 100])
@pytest.mark.parametrize(
    "make",
    [
        lambda rng, n: rng.random((n, n)),
        lambda rng, n: rng.random((n, n)) ** 6,
        lambda rng, n: 10.0 ** rng.uniform(-12, 0, (n, n)),
        lambda rng, n: np.abs(rng.normal(size=n)[:, None] - rng.normal(size=n)) ** 2,
        lambda rng, n: (
            1e4 * (rng.integers(0, 2, (n, 1)) != rng.integers(0, 2, n)) + rng.random((n, n))
        ),
        lambda rng, n: np.full((n, n), 2.0),
        lambda rng, n: rng.integers(0, 2, (n, n)) * 1e-9,
    ],
)
def test_distances_are_those_over_all_arcs(
    size: int, make: Callable[[np.random.Generator, int], Matrix]
) -> None:
    arcs = make(np.random.default_rng(size), size)
    np.fill_diagonal(arcs, 0.0)
    np.testing.assert_allclose(
        shortest_paths(arcs), by_floyd_warshall(arcs), atol=1e-14 * max(arcs.max(), 1e-300)
    )


@pytest.mark.parametrize("apart", [1e6, 1e14])
def test_clusters_without_short_arcs_between_them_are_joined(apart: float) -> None:
    """The length of arcs between clusters does not affect the rounding inside them."""
    rng = np.random.default_rng(0)
    cluster = np.arange(80) // 77
    arcs = 0.5 + rng.random((80, 80)) + apart * (cluster[:, None] != cluster)
    np.fill_diagonal(arcs, 0.0)
    np.testing.assert_allclose(shortest_paths(arcs), by_floyd_warshall(arcs), rtol=1e-12)


def test_paths_along_a_chain_are_summed() -> None:
    position = np.arange(100.0)
    arcs = (position[:, None] - position) ** 2
    expected = np.abs(position[:, None] - position)
    np.testing.assert_allclose(shortest_paths(arcs), expected)


def test_paths_of_more_arcs_than_sweeps_are_found() -> None:
    nodes = COMPILED_FROM + 100
    random = np.random.default_rng(3)
    chain, lengths = random.permutation(nodes), random.random(nodes - 1)
    both = Arcs(chain[:-1], chain[1:], lengths)
    position = np.empty(nodes)
    position[chain] = np.append(0, np.cumsum(lengths))
    sources = random.permutation(nodes)[: 2 * MAX_SWEEPS]

    paths = Arcs.joined([both, both.reversed]).distances_from(sources, nodes)

    np.testing.assert_allclose(paths, np.abs(position[sources, None] - position), atol=1e-12)


def test_new_arcs_shorten_known_paths() -> None:
    nodes = COMPILED_FROM + 100
    random = np.random.default_rng(4)
    tails, heads = random.integers(0, nodes, (2, 6 * nodes))
    tails[:nodes], heads[:nodes] = np.arange(nodes), np.roll(np.arange(nodes), 1)
    every = Arcs(tails, heads, random.random(6 * nodes) ** 3)
    old, new = every.only(np.arange(4 * nodes)), every.only(np.arange(4 * nodes, 6 * nodes))
    sources = np.arange(0, nodes, 20)

    known = old.distances_from(sources, nodes)
    paths = every.distances_from(sources, nodes, known, new)

    shortest = np.full((nodes, nodes), np.inf)
    np.minimum.at(shortest, (tails, heads), every.lengths)
    ends = np.nonzero(np.isfinite(shortest))
    graph = csr_array((shortest[ends], ends), shape=(nodes, nodes))
    assert (paths < known).mean() > 0.5
    np.testing.assert_allclose(paths, dijkstra(graph, indices=sources), atol=1e-12)


def test_arcs_of_length_zero_lead_to_later_nodes() -> None:
    nodes = 50
    random = np.random.default_rng(5)
    rank = random.permutation(nodes)
    tails, heads = random.integers(0, nodes, (2, 200))
    lengths = np.where(rank[tails] < rank[heads], 1e-12, 1.0)
    starts, heads, lengths = shortest_by_tail(tails, heads, lengths, nodes)

    order = free_arcs_forward(starts, heads, lengths, 1e-9)

    place = np.argsort(order)
    np.testing.assert_array_equal(order[place], np.arange(nodes))
    free = lengths < 1e-9
    tails = np.repeat(np.arange(nodes), np.diff(starts))
    assert free.sum() > 50
    assert (place[tails] < place[heads])[free].all()


def test_nodes_on_a_circle_of_length_zero_are_visited_too() -> None:
    starts, heads, lengths = shortest_by_tail(
        np.array([0, 1, 2, 3]), np.array([1, 2, 0, 2]), np.zeros(4), 5
    )
    assert sorted(free_arcs_forward(starts, heads, lengths, 0.0)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(("nodes", "count"), [(1, 1), (5, 40), (700, 20_000)])
def test_of_arcs_between_the_same_two_nodes_the_shortest_is_kept(nodes: int, count: int) -> None:
    random = np.random.default_rng(nodes)
    tails, heads = random.integers(0, nodes, (2, count))
    lengths = random.random(count)
    dense = np.full((nodes, nodes), np.inf)
    np.minimum.at(dense, (tails, heads), lengths)

    starts, kept_heads, kept_lengths = shortest_by_tail(tails, heads, lengths, nodes)

    kept_tails = np.repeat(np.arange(nodes), np.diff(starts))
    np.testing.assert_array_equal((kept_tails, kept_heads), np.nonzero(np.isfinite(dense)))
    np.testing.assert_array_equal(kept_lengths, dense[kept_tails, kept_heads])

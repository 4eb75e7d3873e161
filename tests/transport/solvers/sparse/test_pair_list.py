"""The pairs with which the simplex starts."""

import numpy as np

from wassay.transport.solvers.sparse.pair_list import PairList


def test_the_cheapest_pairs_are_those_of_all_and_of_each_point(random: np.random.Generator) -> None:
    n, m, number = 12, 17, 2
    costs = random.random((n, m))
    costs[3] += 10  # a far row: each of its pairs costs more than all others
    costs[5, 1:] = np.inf
    rows, columns = np.nonzero(np.isfinite(costs))
    pairs = PairList(rows, columns, costs[rows, columns])
    cheapest, nearest = pairs.cheapest(n, m, number)
    by_rank = np.argsort(np.argsort(pairs.costs)) < number * (n + m)
    of_rows = costs <= np.sort(costs, axis=1)[:, [number - 1]]
    of_columns = costs <= np.sort(costs, axis=0)[number - 1]
    expected = by_rank | (of_rows | of_columns)[rows, columns]
    assert cheapest.tolist() == np.flatnonzero(expected).tolist()
    assert np.count_nonzero(rows[cheapest] == 3) == number
    neighbours = cheapest[nearest]
    assert columns[neighbours[np.argsort(columns[neighbours])]].tolist() == list(range(m))
    assert (rows[neighbours] == costs.argmin(axis=0)[columns[neighbours]]).all()

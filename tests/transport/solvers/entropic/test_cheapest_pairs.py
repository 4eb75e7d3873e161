"""The cheapest pairs, found in strips and groups of columns, are those that sorting finds."""

import numpy as np
import pytest

from wassay.transport import GivenCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.entropic import cheapest_pairs
from wassay.transport.solvers.entropic.cheapest_pairs import cheapest_of_columns, cheapest_of_rows
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.thread_pool import ThreadPool


def test_the_cheapest_pairs_are_those_of_sorting_whatever_is_read_at_a_time(
    monkeypatch: pytest.MonkeyPatch, random: np.random.Generator
) -> None:
    monkeypatch.setattr(cheapest_pairs, "COLUMNS_AT_A_TIME", 7)
    monkeypatch.setattr("wassay.transport.solvers.prepared_cost.STRIP_BYTES", 512)
    matrix = random.random((60, 50)).astype(np.float32).astype(float)
    f, g = random.random(60).astype(np.float32), random.random(50).astype(np.float32)
    rows, columns = np.arange(3, 60), np.arange(0, 50, 2)
    with ThreadPool(ProgressCallback(lambda: None)) as threads:
        cost = PreparedCost(GivenCost(matrix), 0, 0.0, 1.0, None, threads)
        of_rows = cheapest_of_rows(cost, rows, columns, g, 4)
        of_columns = cheapest_of_columns(cost, rows, columns, f, 4)
    single = matrix[np.ix_(rows, columns)].astype(np.float32)
    order = columns[np.argsort(single - g[columns], axis=1)[:, :4]]
    assert of_rows.rows.tolist() == np.repeat(rows, 4).tolist()
    assert of_rows.columns.tolist() == order.ravel().tolist()
    order = rows[np.argsort(single - f[rows, None], axis=0)[:4].T]
    assert of_columns.columns.tolist() == np.repeat(columns, 4).tolist()
    assert of_columns.rows.tolist() == order.ravel().tolist()

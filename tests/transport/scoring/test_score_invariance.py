"""Scores do not depend on terms of the cost that are the same for every plan."""

import numpy as np
import pytest

from wassay.transport import cost_block, scores, solve


@pytest.mark.parametrize("n", [60, 90])
def test_row_and_column_terms_shift_the_scores_by_themselves_and_nothing_else(n: int) -> None:
    random = np.random.default_rng(n)
    rows, columns = random.normal(size=(n, 5)), random.normal(0.3, 1.0, size=(60, 5))
    cost = cost_block(rows, columns)
    a, b = np.full(n, 1 / n), np.full(60, 1 / 60)
    u, v = 3 * random.random(n), 5 * random.random(60)
    shifted_cost = cost + u[:, None] + v

    plain = scores(cost, solve(cost, a, b))
    shifted = scores(shifted_cost, solve(shifted_cost, a, b))

    for before, after, term in zip(plain, shifted, (u, v), strict=True):
        size = len(term)
        moved = before.values + term - (term.sum() - term) / (size - 1)
        assert after.values == pytest.approx(moved, abs=1e-9 * before.values.std())
        assert after.spread == pytest.approx(before.spread, abs=1e-9 * before.values.std())

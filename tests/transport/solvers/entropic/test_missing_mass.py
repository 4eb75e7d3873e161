"""Points that lack mass, and far points, get cheap pairs."""

import numpy as np

from wassay.transport import GivenCost, Measure, PointCost
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.entropic.dense_sinkhorn import scale_epsilon
from wassay.transport.solvers.entropic.likely_pairs import likely_pairs
from wassay.transport.solvers.entropic.missing_mass import pairs_for_missing_mass
from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool


def test_what_one_row_sends_too_much_the_partners_lack_though_all_columns_have_their_mass() -> None:
    callback = ProgressCallback(lambda: None)
    quarter = np.full(4, 0.25)
    # Row 0 sends the mass of rows 0 and 1; rows 2 and 3 send their own.
    plan = Plan(np.array([0, 0, 2, 3]), np.arange(4), quarter)
    assert np.bincount(plan.columns, plan.mass).tolist() == quarter.tolist()
    with ThreadPool(callback) as threads:
        cost = PreparedCost(GivenCost(np.ones((4, 4))), 0, 1.0, 1.0, None, threads)
        problem = TransportProblem(cost, quarter, quarter, 1e-9, 100, callback)
        found = pairs_for_missing_mass(problem, plan, np.zeros(4), np.zeros(4))
    assert set(zip(found.rows.tolist(), found.columns.tolist(), strict=True)) == {(1, 0), (1, 1)}


def test_a_far_point_gets_its_cheapest_pairs(random: np.random.Generator) -> None:
    rows, columns = random.normal(size=(2400, 3)), random.normal(size=(2100, 3))
    rows[7], columns[11] = 10.0, -10.0
    a, b = np.full(2400, 1 / 2400), np.full(2100, 1 / 2100)
    callback = ProgressCallback(lambda: None)
    with ThreadPool(callback) as threads:
        cost = PreparedCost.normalised(PointCost(Measure(rows), Measure(columns)), None, threads)
        problem = TransportProblem(cost, a, b, 1e-9, 100, callback)
        entropic = scale_epsilon(problem)
        found = likely_pairs(problem, entropic)
    reduced = cost.matrix() - entropic.f[:, None] - entropic.g
    of_rows, of_columns = np.divmod(found, 2100)
    assert set(np.argsort(reduced[7])[:20]) <= set(of_columns[of_rows == 7])
    assert set(np.argsort(reduced[:, 11])[:20]) <= set(of_rows[of_columns == 11])
    assert (np.diff(found) > 0).all()

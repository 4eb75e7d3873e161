"""Points that lack mass get pairs with each other."""

import numpy as np

from wassay.transport import GivenCost
from wassay.transport.progress import ProgressCallback
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

"""Compute Shapley values of contributions. The service solves the needed coalitions."""

import time
from dataclasses import replace
from itertools import combinations

from wassay.client.connection.flows import Flow
from wassay.client.shared.arguments import as_count, as_positive
from wassay.client.valuation.coalition_distances import all_coalitions
from wassay.client.valuation.coalition_solver import CoalitionSolver
from wassay.errors import InvalidArgumentError
from wassay.transport import Shapley
from wassay.transport.market.shapley import (
    MAX_EXACT_SELLERS,
    MIN_PERMUTATIONS,
    exact_shapley,
    further_permutations,
    sampled_shapley,
)


def shapley_values(
    solver: CoalitionSolver, standard_error: float, max_permutations: int, seconds: float | None
) -> Flow[Shapley]:
    """Compute Shapley values; solve coalitions until errors are small or a limit is reached.

    Errors are small if none exceeds `standard_error` times the range of the values.
    """
    as_positive(standard_error, "standard_error")
    if as_count(max_permutations, "max_permutations", least=2) % 2:
        raise InvalidArgumentError(
            f"expected an even max_permutations, received {max_permutations}: each permutation is "
            "paired with its reverse"
        )
    if seconds is not None:
        as_positive(seconds, "seconds")
    began = time.monotonic()
    known = yield from solver.known()
    known.require_aggregates()
    names = known.contribution_ids
    if len(names) <= MAX_EXACT_SELLERS:
        yield from solver.solve(all_coalitions(names))
        return exact_shapley(names, known)
    yield from solver.solve(combinations(names, len(names) - 1))
    permutations = min(MIN_PERMUTATIONS, max_permutations)
    while True:
        yield from solver.solve_permutations(permutations)
        shapley = sampled_shapley(names, known, known.weights, permutations=permutations)
        more = further_permutations(shapley, known, standard_error)
        if not more:
            return replace(shapley, ended_by="standard-error")
        if permutations >= max_permutations:
            return shapley
        if seconds is not None:
            passed = time.monotonic() - began
            more = min(more, 2 * int((seconds / passed - 1) * permutations / 2))
        if more < 2:
            return replace(shapley, ended_by="time")
        permutations = min(permutations + more, max_permutations)

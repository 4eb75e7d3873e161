"""Method `shapley`: what each contribution adds to the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wassay.client.valuation.methods.method import Printed, ValuationMethod, labels_of
from wassay.client.valuation.shapley import shapley_values
from wassay.table import fixed, table
from wassay.transport import Shapley
from wassay.transport.market.shapley import MAX_PERMUTATIONS, STANDARD_ERROR

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow
    from wassay.client.valuation.valuation import Valuation
    from wassay.models import SellerResult

ENDED = {
    "every-coalition": "Every coalition was solved: the values are exact.",
    "standard-error": "{permutations} permutations sampled: standard errors are as small as "
    "requested.",
    "permutations": "{permutations} permutations sampled, the allowed maximum: standard errors are "
    "larger than requested.",
    "time": "{permutations} permutations sampled before time ran out: standard errors are larger "
    "than requested.",
}


class ShapleyMethod(ValuationMethod[Shapley]):
    """The method `shapley`: compute Shapley values; the utility is minus the distance at t0."""

    name = "shapley"
    summary = "What each contribution adds to the others: Shapley values of the distance at t0."

    def value(
        self,
        evaluation: Valuation[Any],
        *,
        standard_error: float = STANDARD_ERROR,
        max_permutations: int = MAX_PERMUTATIONS,
        seconds: float | None = None,
        progress: bool = False,
    ) -> Flow[Shapley]:
        """Compute the values exactly, or from sampled permutations; see `Evaluation.shapley`."""
        solver = evaluation.coalition_solver(progress=progress)
        found = yield from shapley_values(solver, standard_error, max_permutations, seconds)
        return replace(found, labels=(yield from solver.known()).labels)

    def printed(self, found: Shapley, sellers: Sequence[SellerResult]) -> Printed:
        """Return a table of the values, and a sentence that says what ended the sampling."""
        labels, scores = labels_of(sellers), found.relative_scores
        rows = [
            (
                labels[name],
                name,
                fixed(found.values[name]),
                f"± {fixed(found.standard_errors[name])}",
                f"{scores[name]:.2f}",
            )
            for name in found.largest_first
        ]
        columns = ("seller", "contribution", "adds", "standard error", "relative score")
        lines = [
            table(columns, rows),
            ENDED[found.ended_by].format(permutations=found.permutations),
        ]
        if not all(seller.verified for seller in sellers):
            lines.append("Unverified: the seller contributed scalars, which cannot be checked.")
        return Printed(tuple(lines))

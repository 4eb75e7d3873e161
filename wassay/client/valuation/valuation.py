"""Value the sellers of an evaluation, and their points, at the private t0."""

import inspect
from collections.abc import Collection, Mapping
from typing import Any

from wassay.client.connection.flows import (
    Flow,
    R,
    operation,
)
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_list
from wassay.client.valuation.coalition_solver import CoalitionSolver
from wassay.client.valuation.comparison import SellerDistances
from wassay.client.valuation.methods.registry import (
    BUY,
    COMPARE,
    SHAPLEY,
    method_of,
)
from wassay.client.valuation.point_valuation import PointValuation
from wassay.client.valuation.purchase_table import Purchases
from wassay.transport import Estimate, Shapley
from wassay.transport.market.shapley import MAX_PERMUTATIONS, STANDARD_ERROR


class Valuation(PointValuation[R]):
    """Base of `Evaluation`: the operations that value sellers, and those that value points."""

    @operation
    def distance_of(self, contribution_ids: Collection[str]) -> Flow[Estimate]:
        """Estimate the distance of a coalition of contributions at t0.

        The service solves the coalition now unless it was solved before.

        Parameters
        ----------
        contribution_ids : collection of str

        Returns
        -------
        wassay.transport.Estimate

        Raises
        ------
        EvaluationFailedError
            If the coalition could not be solved.
        NegativeRadicand
            If the fit of the curve is negative at t0.
        """
        coalition = as_list(contribution_ids, "contribution_ids")
        solver = self.coalition_solver(progress=False)
        known = yield from solver.known()
        yield from solver.solve([coalition])
        return known(coalition)

    @operation
    def shapley(
        self,
        *,
        standard_error: float = STANDARD_ERROR,
        max_permutations: int = MAX_PERMUTATIONS,
        seconds: float | None = None,
        progress: bool = False,
    ) -> Flow[Shapley]:
        """Compute the Shapley values of the contributions for the utility −W at t0.

        With up to ten contributions, the service solves every coalition and the values are exact.
        With more, it solves the coalitions of random permutations until every standard error is
        small enough or a limit is reached; `Shapley.ended_by` says which. A further call continues
        with the coalitions solved before.

        Parameters
        ----------
        standard_error : float
            The largest standard error to accept, relative to the range of the values.
        max_permutations : int
            The largest number of permutations, even; each takes N − 3 coalitions.
        seconds : float, optional
            Stop before the next batch of permutations would probably take longer.
        progress : bool
            Print the progress to standard error.

        Returns
        -------
        wassay.transport.Shapley

        Raises
        ------
        InvalidArgumentError
            If a limit is out of range, or several contributions are in mode `scalar`.
        EvaluationFailedError
            If a coalition could not be solved.
        NegativeRadicand
            If the fit of a curve is negative at t0.
        """
        return SHAPLEY.value(
            self,
            standard_error=standard_error,
            max_permutations=max_permutations,
            seconds=seconds,
            progress=progress,
        )

    @operation
    def buy(
        self, prices: Mapping[str, float], budget: float, *, progress: bool = False
    ) -> Flow[Purchases]:
        """Buy contributions greedily within a budget.

        Each step buys the affordable contribution that lowers the distance at t0 of all purchases
        most; of tied ones, the cheapest. It stops if none provably lowers the distance. The service
        solves the coalitions of each step; prices and budget are not sent.

        Parameters
        ----------
        prices : mapping of str to float
            By the ids of contributions or their labels, if these are unique.
            Contributions without a price are not for sale.
        budget : float
            The largest sum to spend.
        progress : bool
            Print the progress to standard error.

        Returns
        -------
        Purchases
            A tuple of `Purchase`, in order of purchase, each with the distance of all purchases
            so far.

        Raises
        ------
        InvalidArgumentError
            If a price is negative or of an unknown contribution, or several contributions are in
            mode `scalar`.
        EvaluationFailedError
            If a coalition could not be solved.
        NegativeRadicand
            If the fit of a curve is negative at t0.
        """
        return BUY.value(self, prices, budget, progress=progress)

    @operation
    def compare(self, *, progress: bool = False) -> Flow[SellerDistances]:
        """Estimate the distance between any two sellers who allow it.

        These are the contributions in mode `measure` with `SellerPrivacy.compared`. The service
        solves the pairs now unless they were solved before.

        Parameters
        ----------
        progress : bool
            Print the progress to standard error.

        Returns
        -------
        SellerDistances

        Raises
        ------
        UnprocessableError
            If fewer than two sellers allow it.
        EvaluationFailedError
            If a pair could not be solved.
        """
        return COMPARE.value(self, progress=progress)

    @operation
    def value(self, method: str, /, **options: Any) -> Flow[Any]:
        """Value sellers or points by a method of `wassay.client.valuation.methods`.

        Parameters
        ----------
        method : str
            The name of the method, as `wassay value` lists it.
        **options
            The options of the method.

        Raises
        ------
        InvalidArgumentError
            If there is no such method, or it does not take the options.
        """
        valuation = method_of(method)
        signature = inspect.signature(valuation.value)
        try:
            signature.bind(self, **options)
        except TypeError as error:
            _, *taken = signature.parameters
            raise InvalidArgumentError(
                f"expected {method} with the options {', '.join(taken)}, received "
                f"{', '.join(options) or 'none'}: {error}"
            ) from error
        return valuation.value(self, **options)

    def coalition_solver(self, *, progress: bool) -> CoalitionSolver:
        """Return the solver of coalitions, for valuation methods."""
        self._require_exact()
        return CoalitionSolver(self._flows, self._document, self._push, progress=progress)

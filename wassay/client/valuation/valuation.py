"""Value the sellers of an evaluation, and their points, at the buyer's private t0."""

import inspect
from collections.abc import Collection, Mapping
from typing import Any

from wassay.client.connection.flows import (
    Flow,
    R,
    operation,
)
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
from wassay.errors import InvalidArgumentError
from wassay.transport import Estimate, Shapley
from wassay.transport.market.shapley import MAX_PERMUTATIONS, STANDARD_ERROR


class Valuation(PointValuation[R]):
    """Base of `Evaluation`: the operations that value sellers and points."""

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
        InvalidArgumentError
            If the request has an epsilon: its results have no coalitions.
        TransportError
            If `contribution_ids` is empty, or one is not part of the evaluation.
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
        """Compute the Shapley values of the contributions; the utility is minus the distance at t0.

        With up to ten contributions, the values are exact. With more, random permutations are
        sampled until every standard error is small enough or a limit is reached.

        Parameters
        ----------
        standard_error : float
            The largest standard error to accept, relative to the range of the values.
        max_permutations : int
            The largest number of permutations, which has to be even. Each permutation of N
            contributions needs N − 3 coalitions.
        seconds : float, optional
            The largest number of seconds to spend; by default there is no limit.
        progress : bool
            Whether to print the progress to standard error.

        Returns
        -------
        wassay.transport.Shapley
            The values; `Shapley.ended_by` says what ended the sampling.

        Raises
        ------
        InvalidArgumentError
            If a limit is out of range, several contributions are in mode `scalar`, or the request
            has an epsilon.
        EvaluationFailedError
            If a coalition could not be solved.
        NegativeRadicand
            If the fit of a curve is negative at t0.

        Notes
        -----
        The service solves the coalitions. Another call reuses the coalitions that were solved
        before.
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

        Each step buys the affordable contribution that lowers the joint distance at t0 most. After
        the first purchase, buying stops if no affordable contribution provably lowers the distance.

        Parameters
        ----------
        prices : mapping of str to float
            The price of each contribution, by its id or by its label if that is unique.
            Contributions without a price are not bought.
        budget : float
            The largest sum to spend.
        progress : bool
            Whether to print the progress to standard error.

        Returns
        -------
        Purchases
            A tuple of `Purchase` in the order of buying, each with the joint distance of all
            purchases up to it.

        Raises
        ------
        InvalidArgumentError
            If there are no prices, a price or the budget is negative, or a name does not belong to
            exactly one contribution. Also if several contributions are in mode `scalar`, or the
            request has an epsilon.
        EvaluationFailedError
            If a coalition could not be solved.
        NegativeRadicand
            If the fit of a curve is negative at t0.

        Notes
        -----
        Of tied contributions, the cheapest is bought. The service solves the coalitions; prices and
        budget are not sent.
        """
        return BUY.value(self, prices, budget, progress=progress)

    @operation
    def compare(self, *, progress: bool = False) -> Flow[SellerDistances]:
        """Estimate the distance between every two sellers who allow comparison.

        Only sellers in mode `measure` with `SellerPrivacy.allows_comparison` are compared. The
        service solves the pairs now unless it solved them before.

        Parameters
        ----------
        progress : bool
            Whether to print the progress to standard error.

        Returns
        -------
        SellerDistances

        Raises
        ------
        InvalidArgumentError
            If the request has an epsilon: its results have no pairs.
        UnprocessableError
            If fewer than two sellers allow comparison.
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
            The name of the method, such as ``'shapley'``; `wassay value` lists all names.
        **options
            The options of the method.

        Returns
        -------
        object
            The values, in the type of the method, such as `wassay.transport.Shapley`.

        Raises
        ------
        InvalidArgumentError
            If there is no such method, or the method does not take one of the options.
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
        """Return an object through which valuation methods ask the service to solve coalitions.

        Raises
        ------
        InvalidArgumentError
            If the request has an epsilon: its results have no coalitions.
        """
        self._require_exact()
        return CoalitionSolver(self._flows, self._document, self._push, progress=progress)

"""What an evaluation says its sellers, and their points, are worth at the private t0."""

import inspect
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_list
from wassay.client.valuation.coalition_solver import CoalitionSolver
from wassay.client.valuation.comparison import Compared
from wassay.client.valuation.methods.points import CUTOFF
from wassay.client.valuation.methods.registry import (
    BUY,
    COMPARE,
    NOISY,
    OUTLIERS,
    SHAPLEY,
    VALUABLE,
    method_of,
)
from wassay.client.valuation.point_selection import Noisiest, PointSelection, VisibleScores
from wassay.client.valuation.scores import scores_at_push, scores_rounding
from wassay.transport import Estimate, Purchase, Scores, Shapley
from wassay.transport.market.shapley import MAX_PERMUTATIONS, STANDARD_ERROR


class Valuation(Runs[R]):
    """The part of an `Evaluation` that values points and sellers.

    Attributes
    ----------
    id : str
        Of the evaluation.
    """

    def __init__(
        self, service: Service[R], evaluation: models.Evaluation, push: PrivatePush
    ) -> None:
        super().__init__(service.run)
        self._flows = service.flows
        self._document = evaluation
        self._push = push
        self.id = evaluation.id

    @operation
    def scores(
        self, contribution_id: str | None = None, *, s: float | None = None
    ) -> Flow[models.PointScores]:
        """Scores of one's own points, or of a seller's as far as the seller allows, at one s.

        Parameters
        ----------
        contribution_id : str, optional
            Whose points; the buyer's own when left out.
        s : float, optional
            At which s of the sweep; the middle one when left out.

        Raises
        ------
        ForbiddenError
            When the seller keeps the scores to themselves; of the buyer's own points, when any
            seller of the evaluation shows less than scores.
        """
        return self._flows.evaluations.scores(self.id, contribution_id, s=s)

    @operation
    def scores_at_t0(self, contribution_id: str | None = None) -> Flow[Scores]:
        """Interpolate scores over the sweep at the request's t0: the scores of the raw data.

        Parameters
        ----------
        contribution_id : str, optional
            The seller whose points to score; the buyer's own points by default.

        Returns
        -------
        Scores
            `values`, positive where the point pushes the distance up (noise), negative where it
            pulls it down (value); and `spread`, how far apart optimal potentials can be on it:
            scores that differ by less than their spreads tell nothing apart. Exact with a
            reference of one point and p = 2, an approximation otherwise.

        Raises
        ------
        InvalidArgumentError
            If only ranks of these points are disclosed.
        ForbiddenError
            When the seller keeps the scores to themselves; of the buyer's own points, when any
            seller of the evaluation shows less than scores.
        """
        request = yield from self._flows.requests.get(self._document.request_id)
        swept = {}
        for s in request.sweep:
            seen = yield from Valuation.scores.flow(self, contribution_id, s=s)
            if seen.values is None:
                raise InvalidArgumentError(
                    f"of {contribution_id} the order is shown, and only scores can be "
                    "interpolated: read the ranks or the noisiest at one s instead. Scores are "
                    "shown where every seller of the evaluation shows them"
                )
            swept[s] = seen
        return scores_at_push(swept, self._push.t0, request.order)

    @operation
    def noisy(self, *, top: int) -> Flow[PointSelection]:
        """The points to inspect: those of all sellers that push the distance up most.

        Sellers whose scores are shown compete at t0. One whose ranks, or noisiest points, are shown
        gives its share of the points, at the s nearest to t0; one who shows nothing is named in
        `withheld`. Scores are shown where every seller of the evaluation shows them, ranks where
        there is one seller.

        Parameters
        ----------
        top : int
            How many points, at most.
        """
        return NOISY.value(self, top=top)

    @operation
    def valuable(self, *, budget: int) -> Flow[PointSelection]:
        """The points to buy: those of all sellers that pull the distance down most.

        Parameters
        ----------
        budget : int
            How many points, at most. Sellers take part as in `noisy`, but for those whose noisiest
            points alone are shown, who are in `withheld`.
        """
        return VALUABLE.value(self, budget=budget)

    @operation
    def distance_of(self, contribution_ids: Collection[str]) -> Flow[Estimate]:
        """The distance at t0 of some of the contributions together.

        What no evaluation of them has solved yet, the service solves now.

        Raises
        ------
        NegativeRadicand
            If the curve has no root at t0.
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
        """What each contribution adds to the others at t0: Shapley values of −W.

        Up to ten contributions the service solves every coalition, and the values are exact. Of
        more, it solves those of random permutations, until every standard error is small enough, or
        one of the limits is reached; the values say which. Called again, it goes on from where it
        was.

        Parameters
        ----------
        standard_error : float
            Largest wanted, as a share of the distance between the largest and the smallest value.
        max_permutations : int
            Each takes N − 3 coalitions: even.
        seconds : float, optional
            Ask for no more permutations than can probably be solved within so many.
        progress : bool
            Whether to say on standard error how far it is.

        Raises
        ------
        InvalidArgumentError
            When a limit cannot be one, or several sellers answered by scalars.
        EvaluationFailedError
            When a coalition could not be solved.
        NegativeRadicand
            If a curve has no root at t0.
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
    ) -> Flow[tuple[Purchase[Estimate], ...]]:
        """Spend a budget: always on the contribution that brings all bought nearest at t0.

        Of several that are not told apart it takes the cheapest, and it ends where none is proven
        to bring them nearer.

        Prices and budget stay here; the service solves the coalitions that are compared at each
        step.

        Parameters
        ----------
        prices : mapping of contribution id to float
            What each costs; those without a price are not for sale.
        budget : float
            Most that may be spent.
        progress : bool
            Whether to say on standard error how far it is.

        Returns
        -------
        tuple of Purchase
            In order, each with the estimate and the certified interval of all bought so far.

        Raises
        ------
        InvalidArgumentError
            When a price is none, or is of nobody; or several sellers answered by scalars.
        EvaluationFailedError
            When a coalition could not be solved.
        NegativeRadicand
            If a curve has no root at t0.
        """
        return BUY.value(self, prices, budget, progress=progress)

    @operation
    def compared(self, *, progress: bool = False) -> Flow[Compared]:
        """How far any two sellers are from each other, of those who allow it: who is like whom.

        Those who answered with `compared`, by measures. The service solves the pairs now, unless it
        has before.

        Parameters
        ----------
        progress : bool
            Whether to say on standard error how far it is.

        Raises
        ------
        UnprocessableError
            When fewer than two allow it.
        EvaluationFailedError
            When a pair could not be solved.
        """
        return COMPARE.value(self, progress=progress)

    @operation
    def outliers(self, *, cutoff: float = CUTOFF) -> Flow[PointSelection]:
        """The points of each seller that are out of the buyer's distribution, by their scores.

        Those whose score at t0 is more than `cutoff` robust standard deviations above the seller's
        median; of sellers whose scores are shown. The others are named in `withheld`.

        Parameters
        ----------
        cutoff : float
            Positive.
        """
        return OUTLIERS.value(self, cutoff=cutoff)

    @operation
    def value(self, method: str, /, **options: Any) -> Flow[Any]:
        """Value sellers or points by a method of `wassay.client.valuation.methods`.

        Parameters
        ----------
        method : str
            Its name, as `wassay value` lists it.
        **options
            What the method takes.

        Raises
        ------
        InvalidArgumentError
            If there is no such method, or it does not take the options.
        """
        chosen = method_of(method)
        try:
            inspect.signature(chosen.value).bind(self, **options)
        except TypeError as error:
            raise InvalidArgumentError(f"{method} does not take these options: {error}") from error
        return chosen.value(self, **options)

    def coalition_solver(self, *, progress: bool) -> CoalitionSolver:
        """Return what valuation methods have coalitions solved with."""
        self._require_exact()
        return CoalitionSolver(self._flows, self._document, self._push, progress=progress)

    def _require_exact(self) -> None:
        if self._document.epsilon is not None:
            raise InvalidArgumentError(
                f"results of this request carry noise (ε = {self._document.epsilon:g}): read "
                "noised_result(), the only result there is; it has no scores and no valuations"
            )

    def visible_scores(self) -> Flow[list[VisibleScores]]:
        """Read what each seller shows of the scores of its points, for valuation methods."""
        self._require_exact()
        document = yield from self._flows.evaluations.result(self.id)
        t0 = self._push.t0
        nearest = min(document.sweep, key=lambda s: abs(s - t0))
        rounding = scores_rounding(document, t0)
        shown = []
        for seller in document.sellers:
            name, label = seller.contribution_id, seller.label
            if seller.scores_shown == "scores":
                scores = yield from Valuation.scores_at_t0.flow(self, name)
                spread = scores.spread + 2 * rounding
                shown.append(VisibleScores(name, label, scores=scores.values, spread=spread))
            elif seller.scores_shown == "ranks":
                seen = yield from Valuation.scores.flow(self, name, s=nearest)
                shown.append(
                    VisibleScores(name, label, ranks=np.asarray(seen.ranks, dtype=np.intp))
                )
            elif seller.scores_shown == "noisiest":
                seen = yield from Valuation.scores.flow(self, name, s=nearest)
                few = Noisiest(tuple(seen.noisiest), seller.points)
                shown.append(VisibleScores(name, label, noisiest=few))
            else:
                shown.append(VisibleScores(name, label))
        return shown

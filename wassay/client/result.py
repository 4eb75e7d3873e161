"""The result of an evaluation, as the buyer reads it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from wassay import models
from wassay.client.errors import InvalidArgumentError
from wassay.client.estimates import Estimates, estimates
from wassay.client.groups import GroupEstimates
from wassay.client.plots import plot_curves
from wassay.client.push import Push
from wassay.curves import distance_curve
from wassay.transport import Estimate, Purchase, Shapley, buy_greedily, shapley
from wassay.transport.shapley import EXACT_UP_TO

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Result:
    """What an evaluation found: the distance curve of all sellers together, and of each.

    Attributes
    ----------
    document : wassay.models.Result
        Everything that the service says, for programs.
    """

    def __init__(self, document: models.Result, push: Push) -> None:
        self.document = document
        self._push = push

    def __repr__(self) -> str:
        return f"Result({self.document.evaluation_id!r}, {len(self.document.sellers)} sellers)"

    def at(self, t0: float) -> Estimates:
        """Evaluate every curve at the private t0, on this machine.

        Raises
        ------
        InvalidArgumentError
            When t0 is not the push that the buyer's measure was sent with.
        NegativeRadicand
            When a fitted curve has no root there.
        """
        self._push.require(t0)
        return estimates(self.document, self._push)

    def distance_of(self, contribution_ids: Collection[str]) -> Estimate:
        """The distance at t0 of some of the contributions together.

        Raises
        ------
        InvalidArgumentError
            When the evaluation did not solve that group; see `Request.evaluate`.
        NegativeRadicand
            When its fitted curve has no root at t0.
        """
        return GroupEstimates(self.document, self._push)(contribution_ids)

    def shapley(self) -> Shapley:
        """What each contribution adds to the others at t0: Shapley values of −W.

        Of more than ten contributions they are averages over the orders that were asked for, and
        have standard errors.

        Raises
        ------
        InvalidArgumentError
            When the evaluation did not solve a group that this needs: up to ten contributions,
            `Request.evaluate(groups="all")` solves all; with more, `Request.evaluate(orders=…)`
            those of a sample.
        NegativeRadicand
            When a fitted curve has no root at t0.
        """
        distances = GroupEstimates(self.document, self._push)
        names = [seller.contribution_id for seller in self.document.sellers]
        if len(names) > EXACT_UP_TO and not self.document.orders:
            raise InvalidArgumentError(
                f"values of {len(names)} contributions are sampled: ask for some orders of them "
                "with Request.evaluate(orders=…)"
            )
        return shapley(
            names,
            lambda group: distances(group).value,
            tolerance=0.0,
            most_orders=self.document.orders,
        )

    def buy(self, prices: Mapping[str, float], budget: float) -> tuple[Purchase[Estimate], ...]:
        """Spend a budget: always on the contribution that brings all bought nearest at t0.

        Parameters
        ----------
        prices : mapping of contribution id to float
            What each costs; those without a price are not for sale.
        budget : float
            Most that may be spent.

        Returns
        -------
        tuple of Purchase
            In order, each with the estimate and the certified interval of all bought so far.

        Raises
        ------
        InvalidArgumentError
            When a group on the way was not solved, `Request.evaluate(groups="all")`.
        NegativeRadicand
            When a fitted curve has no root at t0.
        """
        return buy_greedily(prices, budget, GroupEstimates(self.document, self._push))

    @property
    def certificate(self) -> models.Certificate | None:
        """The worst of all certificates: the one with the largest gap for its cost.

        None where sellers answered by scalars, which come without.
        """
        curves = [self.document.together, *(group.curve for group in self.document.groups)]
        for seller in self.document.sellers:
            curves += [seller.alone, seller.without]
        certificates = [
            point.certificate
            for curve in curves
            if curve is not None
            for point in curve.points
            if point.certificate is not None
        ]
        return max(
            certificates, key=lambda each: each.gap / (abs(each.primal) or 1.0), default=None
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the distance curves: solved points, fit and bracket, for each seller and all.

        Parameters
        ----------
        path : path, optional
            Where to write the picture too; the ending chooses the format.

        Raises
        ------
        ModuleNotFoundError
            Without matplotlib, which the extra `plot` installs.
        """
        order = self.document.order
        curves = {
            seller.label if seller.verified else f"{seller.label} (unverified)": distance_curve(
                seller.alone, order
            )
            for seller in self.document.sellers
        }
        together = self.document.together
        if len(curves) > 1 and together is not None:
            curves["all together"] = distance_curve(together, order)
        return plot_curves(curves, path)

    def to_json(self) -> str:
        """Everything that the service says, as JSON; t0 is not in it."""
        return self.document.model_dump_json(indent=2)

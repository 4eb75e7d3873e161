"""The result of a request with an epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.evaluation.plots import plot_noised
from wassay.received_curves import noised_distance
from wassay.table import fixed, table
from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.unique_labels import EVERYONE, unique_labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class NoisedEstimate:
    """An estimate of a distance of the raw data, from costs with noise.

    Attributes
    ----------
    value : float
        The estimate of W_2 to the clipped points (`BuyerPrivacy.radius`); 0 if noise made the
        squared distance negative.
    interval : tuple of float
        The ends of an interval that contains the estimate from costs without noise, with the
        probability `NoisedEstimates.confidence`.
    """

    value: float
    interval: tuple[float, float]


@dataclass(frozen=True, repr=False)
class NoisedEstimates(Tabular):
    """Distances at t0, estimated from costs with noise; prints as a table.

    Attributes
    ----------
    epsilon : float
        The ε that the evaluation spent.
    confidence : float
        The probability with which each interval contains the estimate from costs without noise.
    grand_coalition : NoisedEstimate
        The distance to all sellers together.
    sellers : dict of str to NoisedEstimate
        The distance to each single seller, by contribution id; the nearest first.
    labels : dict of str to str
        The label of each contribution, by contribution id.
    """

    epsilon: float
    confidence: float
    grand_coalition: NoisedEstimate
    sellers: dict[str, NoisedEstimate]
    labels: dict[str, str]

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each seller, the nearest first.

        Returns
        -------
        dict of str to list
        """
        return {
            "seller": [self.labels[name] for name in self.sellers],
            "contribution_id": list(self.sellers),
            "distance": [each.value for each in self.sellers.values()],
            "low": [each.interval[0] for each in self.sellers.values()],
            "high": [each.interval[1] for each in self.sellers.values()],
        }

    def __str__(self) -> str:
        names = unique_labels(self.labels)
        named = [(names[name], each) for name, each in self.sellers.items()]
        if len(named) > 1:
            named.append((EVERYONE, self.grand_coalition))
        rows = [
            (label, fixed(each.value), f"[{fixed(each.interval[0])}, {fixed(each.interval[1])}]")
            for label, each in named
        ]
        interval = f"{self.confidence:.0%} interval, epsilon = {self.epsilon:g}"
        columns = ("seller", "W2 distance", interval)
        return table(columns, rows)


class NoisedResult(Tabular):
    """The result of an evaluation of a request with an epsilon.

    Attributes
    ----------
    document : wassay.models.NoisedResult
        The service's response.
    """

    def __init__(self, document: models.NoisedResult, push: PrivatePush) -> None:
        self.document = document
        self._push = push

    def __repr__(self) -> str:
        return f"NoisedResult({self.document.evaluation_id!r}, epsilon = {self.document.epsilon:g})"

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each seller at each s.

        Further rows have the costs of all sellers together, one row for each s.

        Returns
        -------
        dict of str to list
        """
        curves: list[tuple[str, str | None, list[models.NoisedCost]]] = [
            (each.label, each.contribution_id, each.singleton) for each in self.document.sellers
        ]
        rows = [
            {
                "seller": label,
                "contribution_id": name,
                "s": each.s,
                "cost": each.cost,
                "low": each.interval[0],
                "high": each.interval[1],
            }
            for label, name, costs in [*curves, (EVERYONE, None, self.document.grand_coalition)]
            for each in costs
        ]
        return records_to_columns(rows)

    def estimates(self) -> NoisedEstimates:
        """Estimate the distances at the request's private t0, on this machine.

        Returns
        -------
        NoisedEstimates

        Notes
        -----
        If t0 is in the sweep, the estimates come from the released costs at t0. Otherwise they come
        from the least-squares quadratic through the released costs. W_2² is quadratic in s if the
        reference has one point and no point was clipped.
        """
        singleton = {
            each.contribution_id: self._estimate(each.singleton) for each in self.document.sellers
        }
        return NoisedEstimates(
            epsilon=self.document.epsilon,
            confidence=self.document.confidence,
            grand_coalition=self._estimate(self.document.grand_coalition),
            sellers=dict(sorted(singleton.items(), key=lambda pair: pair[1].value)),
            labels={each.contribution_id: each.label for each in self.document.sellers},
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plot the noised squared distances of each seller and of all together, with intervals.

        Parameters
        ----------
        path : path, optional
            Also save the plot to this file; the suffix chooses the format.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InvalidArgumentError
            If the suffix names no format of plots.
        PackageMissing
            If matplotlib is not installed; the extra `plot` installs it.
        """
        sellers = self.document.sellers
        names = unique_labels({each.contribution_id: each.label for each in sellers})
        curves = {names[each.contribution_id]: each.singleton for each in sellers}
        if len(curves) > 1:
            curves[EVERYONE] = self.document.grand_coalition
        return plot_noised(
            {
                label: [(each.s, each.cost, each.interval) for each in costs]
                for label, costs in curves.items()
            },
            path,
        )

    def to_json(self) -> str:
        """Return `document` as JSON; it does not contain t0.

        Returns
        -------
        str
        """
        return self.document.model_dump_json(indent=2)

    def _estimate(self, costs: list[models.NoisedCost]) -> NoisedEstimate:
        t0 = self._push.t0
        noised = noised_distance(costs, t0, self.document.confidence)
        low, high = noised.interval
        return NoisedEstimate(noised.value / (1 - t0), (low / (1 - t0), high / (1 - t0)))

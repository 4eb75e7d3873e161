"""Method `compare`: how far sellers are from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wassay.client.valuation.comparison import SellerDistances, seller_distances
from wassay.client.valuation.methods.method import Printed, ValuationMethod
from wassay.table import fixed, table

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow
    from wassay.client.valuation.valuation import Valuation
    from wassay.models import SellerResult


class ComparisonMethod(ValuationMethod[SellerDistances]):
    """The method `compare`: distances between the sellers who allow comparison, and clusters."""

    name = "compare"
    summary = "The distance between every two sellers who allow comparison."

    def value(self, evaluation: Valuation[Any], *, progress: bool = False) -> Flow[SellerDistances]:
        """Estimate the distances between sellers; see `Evaluation.compare`."""
        return seller_distances(
            (yield from evaluation.coalition_solver(progress=progress).compare())
        )

    def printed(
        self, found: SellerDistances, sellers: Sequence[SellerResult], *, clusters: int = 2
    ) -> Printed:
        """Return a table of the distances and each seller's cluster.

        `clusters` is the number of clusters to form.
        """
        del sellers
        cluster = found.clusters(clusters)
        rows = [
            (label, *map(fixed, distances), str(cluster[name]))
            for name, label, distances in zip(
                found.contribution_ids, found.labels, found.distances, strict=True
            )
        ]
        return Printed((table(("seller", *found.labels, "cluster"), rows),))

"""Distances between the sellers of an evaluation, and clusters of sellers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.client.evaluation.plots import plot_dendrogram
from wassay.client.shared.arguments import as_count
from wassay.tabular import Columns, Tabular
from wassay.transport import clusters, dendrogram
from wassay.unique_labels import unique_labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class SellerDistances(Tabular):
    """Estimated distances between the raw data of every two sellers who allow comparison.

    Attributes
    ----------
    contribution_ids, labels : list of str
        The ids and labels of the N sellers who allow comparison. A label that is not unique is
        followed by the id.
    distances : ndarray, shape (N, N)
        The distances; symmetric, with a zero diagonal.
    errors : ndarray, shape (N, N)
        Bounds on the errors of the distances; NaN if one of the two sellers did not report a
        projection spread.
    """

    contribution_ids: list[str]
    labels: list[str]
    distances: NDArray[np.float64]
    errors: NDArray[np.float64]

    def to_dict(self) -> Columns:
        """Return the matrix of distances, with a row and a column for each seller.

        Returns
        -------
        dict of str to list
            The columns `seller` and `contribution_id`, then a column of distances for each seller,
            named by the label.
        """
        return {
            "seller": list(self.labels),
            "contribution_id": list(self.contribution_ids),
            **dict(zip(self.labels, self.distances.T.tolist(), strict=True)),
        }

    def dendrogram(self) -> NDArray[np.float64]:
        """Cluster the sellers by average linkage.

        Returns
        -------
        ndarray, shape (N − 1, 4)
            The linkage in the format of `scipy.cluster.hierarchy`.

        Raises
        ------
        SolverMissing
            If the extra `solver` is not installed.
        """
        return dendrogram(self.distances)

    def clusters(self, count: int) -> dict[str, int]:
        """Cut the dendrogram into clusters.

        Parameters
        ----------
        count : int
            The number of clusters.

        Returns
        -------
        dict of str to int
            The number of each contribution's cluster, from 0, by contribution id.

        Raises
        ------
        InvalidArgumentError
            If `count` is not a whole number of at least 1.
        TransportError
            If there are fewer sellers than clusters.
        SolverMissing
            If the extra `solver` is not installed.
        """
        numbers = clusters(self.dendrogram(), as_count(count, "count")).tolist()
        return dict(zip(self.contribution_ids, numbers, strict=True))

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plot the dendrogram.

        Parameters
        ----------
        path : path, optional
            Also save the plot to this file; the suffix chooses the format.

        Raises
        ------
        InvalidArgumentError
            If the suffix names no format of plots.
        PackageMissing
            If matplotlib is not installed; the extra `plot` installs it.
        SolverMissing
            If the extra `solver` is not installed.
        """
        return plot_dendrogram(self.dendrogram(), self.labels, path)


def seller_distances(result: models.Result) -> SellerDistances:
    """Estimate the distance between the raw data of each pair of sellers in a result."""
    among = {name for pair in result.pairs for name in pair.contribution_ids}
    sellers = [seller for seller in result.sellers if seller.contribution_id in among]
    index = {seller.contribution_id: number for number, seller in enumerate(sellers)}
    spreads = [seller.projection_spread for seller in sellers]
    sigma = np.array([np.nan if each is None else each for each in spreads], dtype=np.float64)
    distances, errors = np.zeros((2, len(sellers), len(sellers)))
    for pair in result.pairs:
        i, j = (index[name] for name in pair.contribution_ids)
        lowest = max(pair.certificate.dual - pair.rounding, 0.0) ** (1 / result.order)
        highest = (max(pair.certificate.primal, 0.0) + pair.rounding) ** (1 / result.order)
        stray = max(highest - pair.distance, pair.distance - lowest)
        # The service solves pairs at the smallest s of the sweep. `wassay.models.PairResult` bounds
        # the error of this estimate.
        distances[i, j] = distances[j, i] = pair.distance / (1 - pair.s)
        error = (stray + pair.s * (sigma[i] + sigma[j])) / (1 - pair.s)
        errors[i, j] = errors[j, i] = error
    labels = unique_labels({seller.contribution_id: seller.label for seller in sellers})
    return SellerDistances(list(index), list(labels.values()), distances, errors)

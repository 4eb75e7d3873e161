"""How far sellers, or clients of federated learning, are from each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.client.evaluation.plots import plot_dendrogram
from wassay.client.shared.arguments import as_count
from wassay.client.shared.unique_labels import unique_labels
from wassay.transport import clusters, dendrogram

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Compared:
    """Distances between the raw data of any two of those who allow it.

    Attributes
    ----------
    contribution_ids, labels : list of str
        Of the N who allow it; a label that is not the only one of its kind comes with the id.
    distances : ndarray, shape (N, N)
        Symmetric, with a zero diagonal.
    errors : ndarray, shape (N, N)
        How far each may be from the truth; NaN where a seller did not tell its spread.
    """

    contribution_ids: list[str]
    labels: list[str]
    distances: NDArray[np.float64]
    errors: NDArray[np.float64]

    def dendrogram(self) -> NDArray[np.float64]:
        """The joins of the nearest, as `scipy.cluster.hierarchy` writes them, shape (N − 1, 4)."""
        return dendrogram(self.distances)

    def clusters(self, count: int) -> dict[str, int]:
        """The cluster of each contribution, of so many, numbered from 0.

        Raises
        ------
        TransportError
            When so many clusters cannot be.
        """
        found = clusters(self.dendrogram(), as_count(count, "count")).tolist()
        return dict(zip(self.contribution_ids, found, strict=True))

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the dendrogram.

        Parameters
        ----------
        path : path, optional
            Where to write the picture too; the ending chooses the format.

        Raises
        ------
        ModuleNotFoundError
            Without matplotlib, which the extra `plot` installs.
        """
        return plot_dendrogram(self.dendrogram(), self.labels, path)


def compared(result: models.Result) -> Compared:
    """Bring the pairs of a result from their s to the raw data."""
    among = {name for pair in result.pairs for name in pair.contribution_ids}
    sellers = [seller for seller in result.sellers if seller.contribution_id in among]
    place = {seller.contribution_id: number for number, seller in enumerate(sellers)}
    spreads = [seller.projection_spread for seller in sellers]
    sigma = np.array([np.nan if each is None else each for each in spreads], dtype=np.float64)
    distances, errors = np.zeros((2, len(sellers), len(sellers)))
    for pair in result.pairs:
        i, j = (place[name] for name in pair.contribution_ids)
        lowest = max(pair.certificate.dual - pair.rounding, 0.0) ** (1 / result.order)
        highest = (max(pair.certificate.primal, 0.0) + pair.rounding) ** (1 / result.order)
        stray = max(highest - pair.distance, pair.distance - lowest)
        distances[i, j] = distances[j, i] = pair.distance / (1 - pair.s)
        error = (stray + pair.s * (sigma[i] + sigma[j])) / (1 - pair.s)
        errors[i, j] = errors[j, i] = error
    labels = unique_labels({seller.contribution_id: seller.label for seller in sellers})
    return Compared(list(place), list(labels.values()), distances, errors)

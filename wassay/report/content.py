"""What a report is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.receipts import VerifiedReceipt

MOST_PICTURES = 12
"""Sellers who are drawn; a table has them all."""

Members = frozenset[str]
"""Contributions, by their ids, that a distance is of."""


@dataclass(frozen=True)
class Distance:
    """A distance, and where it is known to lie.

    Attributes
    ----------
    value : float
    interval : tuple of float or None
        Certified; None where it is not known.
    resolution : tuple of float
        Distances whose resolutions overlap are ties.
    """

    value: float
    interval: tuple[float, float] | None
    resolution: tuple[float, float]


@dataclass(frozen=True)
class Pushed:
    """What the buyer's own machine adds, which the service does not know.

    Attributes
    ----------
    t0 : float
        The buyer's private push.
    distances : mapping
        Of the raw data: of all sellers together, of each alone, and of all but each.
    """

    t0: float
    distances: Mapping[Members, Distance]


@dataclass(frozen=True, kw_only=True)
class Report:
    """One evaluation that has succeeded, as its buyer may see it.

    Attributes
    ----------
    request, reference, evaluation, result
        As the service shows them to the buyer.
    receipt : VerifiedReceipt
        The buyer's.
    disclosures : sequence of Disclosure
        The rows of the ledger that are about this request: of the buyer's own data, and of what the
        buyer was shown of others'.
    scores : mapping of contribution id to ndarray, shape (n,)
        Of the sellers who show scores.
        At t0, or where the service makes the report at the middle s.
    pushed : Pushed or None
        None where the service makes the report.
    """

    request: models.Request
    reference: models.Reference
    evaluation: models.Evaluation
    result: models.Result | models.NoisedResult
    receipt: VerifiedReceipt
    disclosures: Sequence[models.Disclosure]
    scores: Mapping[str, NDArray[np.float64]]
    pushed: Pushed | None = None

    @property
    def everyone(self) -> Members:
        """All contributions of the evaluation."""
        return frozenset(seller.contribution_id for seller in self.result.sellers)

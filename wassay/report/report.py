"""The contents of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wassay import models
from wassay.receipts import VerifiedReceipt
from wassay.transport import Nearness, ScaledDistance
from wassay.unique_labels import unique_labels

MOST_PLOTS = 12
"""Largest number of sellers whose curves are plotted; the table lists all sellers."""

MOST_WRONG_LABELS = 20
"""Largest number of points of a seller that are listed for their labels."""

NO_AGREEMENT = 0.005
"""Labels agree with 0 % of the buyer's, once rounded, below this accuracy."""

NAMING: frozenset[models.ScoresShown] = frozenset({"ranks", "noisiest"})
"""The policies under which no scores are shown, but the noisiest points are named."""

Coalition = frozenset[str]
"""A set of contributions, by their ids."""


@dataclass(frozen=True)
class Distance:
    """A distance, and how far computing may be off.

    Attributes
    ----------
    value : float
    interval : tuple of float or None
        Certified bounds; None if unverified or unknown. The upper one is infinite for random
        projections, whose distance bounds that of the raw points from below.
    resolution : tuple of float
        Lower and upper end. Distances whose resolutions overlap are ties.
    scaled : ScaledDistance or None
        If points were projected at random: the estimated distance of the raw points.
    """

    value: float
    interval: tuple[float, float] | None
    resolution: tuple[float, float]
    scaled: ScaledDistance | None = None


@dataclass(frozen=True)
class PrivateDistances:
    """The distances at t0, which only the buyer's own machine can compute.

    Attributes
    ----------
    t0 : float
        The buyer's private push.
    distances : mapping of coalition to Distance
        Distances of the raw data for the grand, singleton and leave-one-out coalitions, and for
        those that were solved on request.
    nearness : mapping of contribution id to Nearness
        What chance gives, for the sellers who can be judged.
    """

    t0: float
    distances: Mapping[Coalition, Distance]
    nearness: Mapping[str, Nearness] = field(default_factory=dict)


@dataclass(frozen=True)
class WrongLabels:
    """The labels of one seller's points that are most probably wrong.

    Attributes
    ----------
    worst : tuple of int
        Points by their numbers as sent, the worst first if the seller shows ranks or scores.
    accuracy : float or None
        Mean share of the seller's 5 points nearest to one of the buyer's that have its label; None
        if the scores are not shown.
    """

    worst: tuple[int, ...]
    accuracy: float | None = None

    @property
    def is_all_wrong(self) -> bool:
        """Whether the labels agree with 0 % of the buyer's, once rounded."""
        return self.accuracy is not None and self.accuracy < NO_AGREEMENT


@dataclass(frozen=True, kw_only=True)
class Report:
    """A succeeded evaluation, as its buyer may see it.

    Attributes
    ----------
    request : wassay.models.Request
    reference : wassay.models.Reference
    evaluation : wassay.models.Evaluation
    result : wassay.models.Result or wassay.models.NoisedResult
    receipt : VerifiedReceipt
        The buyer's receipt.
    disclosures : sequence of wassay.models.Disclosure
        Ledger entries of this request: who saw the buyer's data, and what the buyer saw of others'.
    scores : mapping of contribution id to ndarray, shape (n,)
        Scores of the points of sellers who show them, at t0 or, in a report by the service, where
        the sellers' points pass the buyer's.
    noisiest : mapping of contribution id to sequence of int
        The points named as noisiest, of sellers who show ranks or no more than these.
    label_scores : mapping of contribution id to WrongLabels
        Of sellers whose labels were scored, and who let the buyer know about them.
    private : PrivateDistances or None
        None in a report by the service.
    """

    request: models.Request
    reference: models.Reference
    evaluation: models.Evaluation
    result: models.Result | models.NoisedResult
    receipt: VerifiedReceipt
    disclosures: Sequence[models.Disclosure]
    scores: Mapping[str, NDArray[np.float64]]
    noisiest: Mapping[str, Sequence[int]] = field(default_factory=dict)
    label_scores: Mapping[str, WrongLabels] = field(default_factory=dict)
    private: PrivateDistances | None = None

    @property
    def labels(self) -> dict[str, str]:
        """The sellers' labels by contribution, with the id if two sellers have the same."""
        return unique_labels(
            {seller.contribution_id: seller.label for seller in self.result.sellers}
        )

    @property
    def grand_coalition(self) -> Coalition:
        """The grand coalition: all contributions of the evaluation."""
        return frozenset(seller.contribution_id for seller in self.result.sellers)

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
"""The largest number of sellers to plot. The table lists all sellers."""

MOST_WRONG_LABELS = 20
"""The largest number of a seller's points to list for their labels."""

NO_AGREEMENT = 0.005
"""Below this accuracy, a seller's labels agree with 0 % of the buyer's after rounding."""

NAMING: frozenset[models.ScoresShown] = frozenset({"ranks", "noisiest"})
"""The policies that show no scores but name the noisiest points."""

Coalition = frozenset[str]
"""A set of contribution ids."""


@dataclass(frozen=True)
class Distance:
    """A distance, and how accurately it was computed.

    Attributes
    ----------
    value : float
        The distance.
    interval : tuple of float or None
        The certified bounds or, with noise, the confidence interval; None if unverified or unknown.
        The upper bound is infinite if points were projected at random.
    tie_interval : tuple of float
        Two distances tie if their tie intervals overlap (see `DistanceCurve.tie_interval`). With
        noise, both ends are the value.
    scaled : ScaledDistance or None
        An estimate of the distance before points were projected at random; None if they were not,
        or if it is unknown.
    """

    value: float
    interval: tuple[float, float] | None
    tie_interval: tuple[float, float]
    scaled: ScaledDistance | None = None


@dataclass(frozen=True)
class PrivateDistances:
    """The distances at t0, which only the buyer's own machine can compute.

    Attributes
    ----------
    t0 : float
        The buyer's private push.
    distances : mapping of coalition to Distance
        The distance of the raw data of each coalition that was solved.
    nearness : mapping of contribution id to Nearness
        The comparison with chance, for each seller who can be judged.
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
        The numbers of the points, from 0 in the order in which the seller sent them; at most
        `MOST_WRONG_LABELS`. If the seller shows ranks or scores, the worst label comes first.
    accuracy : float or None
        How well the seller's nearest points predict the buyer's labels, from 0 to 1; None if
        unknown.
    """

    worst: tuple[int, ...]
    accuracy: float | None = None

    @property
    def is_all_wrong(self) -> bool:
        """Whether the accuracy is known, and rounds to 0 %."""
        return self.accuracy is not None and self.accuracy < NO_AGREEMENT


@dataclass(frozen=True, kw_only=True)
class Report:
    """The part of a succeeded evaluation that the buyer may see.

    `scores`, `noisiest` and `label_scores` have at most `MOST_PLOTS` sellers each.

    Attributes
    ----------
    request : wassay.models.Request
    reference : wassay.models.Reference
    evaluation : wassay.models.Evaluation
    result : wassay.models.Result or wassay.models.NoisedResult
    receipt : VerifiedReceipt
        The buyer's receipt.
    disclosures : sequence of wassay.models.Disclosure
        The ledger entries of the request.
    scores : mapping of contribution id to ndarray, shape (n,)
        The scores of sellers who show scores: at t0 or, if the service makes the report, at the s
        near which all sellers together are nearest (`DistanceCurve.nearest_s`).
    spreads : mapping of contribution id to ndarray, shape (n,)
        The spread of each score. If the buyer's machine makes the report, twice the
        score's rounding error is added.
    noisiest : mapping of contribution id to sequence of int
        The noisiest points of sellers who show them, but no scores.
    label_scores : mapping of contribution id to WrongLabels
        The probably wrong labels of sellers who show them.
    private : PrivateDistances or None
        None if the service makes the report, because it does not know t0.
    """

    request: models.Request
    reference: models.Reference
    evaluation: models.Evaluation
    result: models.Result | models.NoisedResult
    receipt: VerifiedReceipt
    disclosures: Sequence[models.Disclosure]
    scores: Mapping[str, NDArray[np.float64]]
    spreads: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    noisiest: Mapping[str, Sequence[int]] = field(default_factory=dict)
    label_scores: Mapping[str, WrongLabels] = field(default_factory=dict)
    private: PrivateDistances | None = None

    @property
    def labels(self) -> dict[str, str]:
        """The label of each seller by contribution id. Ids are appended to equal labels."""
        return unique_labels(
            {seller.contribution_id: seller.label for seller in self.result.sellers}
        )

    @property
    def grand_coalition(self) -> Coalition:
        """The ids of all contributions."""
        return frozenset(seller.contribution_id for seller in self.result.sellers)

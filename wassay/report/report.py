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
        The certified lower and upper bound; None if unverified or unknown. With random projections
        the upper bound is infinite, because distances of projected points are only lower bounds.
    tie_interval : tuple of float
        The ends of the interval within which the value is known. Distances whose intervals overlap
        are ties.
    scaled : ScaledDistance or None
        The estimated distance of the raw points; None if points were not projected at random.
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
        The distance of the raw data for the grand coalition, for each singleton and leave-one-out
        coalition, and for each coalition that was solved on request.
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
        The numbers of the points as sent, the worst label first if the seller shows ranks or
        scores.
    accuracy : float or None
        The accuracy of predicting the buyer's labels from the seller's nearest points; None if the
        scores are not shown.
    """

    worst: tuple[int, ...]
    accuracy: float | None = None

    @property
    def is_all_wrong(self) -> bool:
        """Whether the labels agree with 0 % of the buyer's labels after rounding."""
        return self.accuracy is not None and self.accuracy < NO_AGREEMENT


@dataclass(frozen=True, kw_only=True)
class Report:
    """The part of a succeeded evaluation that the buyer may see.

    Attributes
    ----------
    request : wassay.models.Request
    reference : wassay.models.Reference
    evaluation : wassay.models.Evaluation
    result : wassay.models.Result or wassay.models.NoisedResult
    receipt : VerifiedReceipt
        The buyer's receipt.
    disclosures : sequence of wassay.models.Disclosure
        The ledger entries of the request: who saw the buyer's data, and what the buyer saw of
        others' data.
    scores : mapping of contribution id to ndarray, shape (n,)
        The scores of each seller who shows scores: at t0 or, in a report that the service makes, at
        the s at which the means of both sides' pushed points are nearest.
    spreads : mapping of contribution id to ndarray, shape (n,)
        The spread of each of these scores, enlarged by their rounding error if that is known;
        sellers whose scores have no spread may be left out.
    noisiest : mapping of contribution id to sequence of int
        The points named as noisiest, for each seller who shows ranks or only the noisiest points.
    label_scores : mapping of contribution id to WrongLabels
        The labels that are probably wrong, for each seller whose labels were scored and who
        discloses that.
    private : PrivateDistances or None
        None in a report that the service makes, which does not know t0.
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
        """The label of each seller by contribution id, made unique by appending ids."""
        return unique_labels(
            {seller.contribution_id: seller.label for seller in self.result.sellers}
        )

    @property
    def grand_coalition(self) -> Coalition:
        """The ids of all contributions of the evaluation."""
        return frozenset(seller.contribution_id for seller in self.result.sellers)

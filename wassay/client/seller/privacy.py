"""A seller's limits on what others may compute about their points."""

from dataclasses import dataclass
from typing import get_args

from wassay.client.shared.disclosure_check import disclosure_limit
from wassay.disclosure_class import DisclosureClass
from wassay.errors import InvalidArgumentError
from wassay.models import ScorePolicy


@dataclass(frozen=True)
class SellerPrivacy:
    """Limits on what the service and the buyer may learn about a seller's points.

    Parameters
    ----------
    scores : {'none', 'ranks', 'scores'}
        The most that the buyer may see of the scores of these points and of their labels. Raw
        records can be computed from exact scores, so ``'scores'`` needs a `max_disclosure` of
        ``'exact'``.
    allows_comparison : bool
        Whether these points may be compared with the points of other sellers who allow this, too.
        The buyer may then read distances to these sellers, and how many of these points are copies.
    keeps_order : bool
        Whether to send rows in the order of the table instead of a secret order. Then every
        receiver of points can read the ranks of a column by which the table is sorted.
    open_reference : bool
        Whether to answer requests with an open reference, too. Ask the buyer whether the reference
        is open: the service could lie in order to read the raw points.
    max_disclosure : DisclosureClass or str, optional
        The most that the service or the buyer, each alone, may learn about these points; by default
        the profile's limit. An open reference needs ``'exact'``, which allows everything.

    Raises
    ------
    InvalidArgumentError
        If `scores` or `max_disclosure` is unknown.

    Notes
    -----
    In an evaluation of several sellers, the buyer sees at most which points have the highest
    scores, unless all sellers allow ``'scores'``. Scores of labels need only this seller's consent.

    Distances to other sellers need mode ``'measure'``. Copies of the buyer's points, or of points
    of another seller, are counted in the modes ``'measure'`` and ``'cost-block'``. The other seller
    may choose points in collusion with the buyer.

    `Seller.answer` attacks the arrays as every receiver could, and uploads nothing if an attack
    learns more than `max_disclosure`. If the profile has no limit either, the limit is
    ``'up-to-isometry'``. Readable columns then lead to a `ReadableColumnsWarning` instead of an
    exception.
    """

    scores: ScorePolicy = "none"
    allows_comparison: bool = False
    keeps_order: bool = False
    open_reference: bool = False
    max_disclosure: DisclosureClass | str | None = None

    def __post_init__(self) -> None:
        if self.scores not in get_args(ScorePolicy):
            raise InvalidArgumentError(
                f"expected scores to be one of {', '.join(get_args(ScorePolicy))}, "
                f"received {self.scores!r}"
            )
        if self.max_disclosure is not None:
            object.__setattr__(self, "max_disclosure", disclosure_limit(self.max_disclosure))

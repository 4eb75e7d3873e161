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
        The most that the buyer may see of the scores of these points and, if the request scores
        labels, of their labels. If an evaluation has several sellers, the buyer sees scores of
        points only if every seller allows ``'scores'``, and otherwise at most which points have the
        highest scores. Scores of labels need only this seller's consent. Raw records can be
        computed from exact scores, so ``'scores'`` needs a `max_disclosure` of ``'exact'``.
    compared : bool
        Whether the buyer may read the distance between these points and those of each other seller
        who allows comparison too (mode ``'measure'``). The other seller chooses the points to
        compare with, and may collude with the buyer. In the modes ``'measure'`` and
        ``'cost-block'``, the buyer may then also read how many of these points are copies of points
        of the buyer or of such a seller.
    keeps_order : bool
        Whether to send rows in the order of the table instead of a secret order. Then every
        receiver of points can read the ranks of a column by which the table is sorted. If the order
        is secret, the buyer knows points only by their numbers as sent; `Seller.table_rows` returns
        their rows.
    open_reference : bool
        Whether to answer requests with an open reference too. Ask the buyer whether the reference
        is open: the service could call a sealed reference open in order to read the raw points.
    max_disclosure : DisclosureClass or str, optional
        The most that the service or the buyer, each alone, may learn about these points.
        `Seller.answer` attacks the arrays as every receiver could, and uploads nothing if an attack
        learns more. By default this is the profile's limit. If the profile has none, it is
        ``'up-to-isometry'``, and readable columns lead to a `ReadableColumnsWarning` instead of an
        exception. An open reference needs ``'exact'``, which allows everything, because the
        operator of the service can then compute the raw points.

    Raises
    ------
    InvalidArgumentError
        If `scores` or `max_disclosure` is unknown.
    """

    scores: ScorePolicy = "none"
    compared: bool = False
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

"""A seller's limits on what others may compute about their points."""

from dataclasses import dataclass
from typing import get_args

from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.disclosure_check import disclosure_limit
from wassay.disclosure_class import DisclosureClass
from wassay.models import ScorePolicy


@dataclass(frozen=True)
class SellerPrivacy:
    """Limits on what the service and the buyer may learn about a seller's points.

    Parameters
    ----------
    scores : {'none', 'ranks', 'scores'}
        The most that the buyer may see of the scores of these points. In an evaluation with other
        sellers the buyer sees which points are the noisiest, or, if every seller allows
        ``'scores'``, the scores of all points. The raw records follow from those, so ``'scores'``
        needs a `max_disclosure` of ``'exact'``. It holds for the scores of labels, too, if the
        request scores them; these depend on no other seller.
    compared : bool
        Let the buyer read the distance between these points and those of every other seller who
        allows it too (mode ``'measure'``). Each is one more distance to points that somebody else,
        who may collude with the buyer, has chosen. Also let the buyer read, in every mode, how many
        of these points are copies of the buyer's or of such a seller's.
    keeps_order : bool
        Send rows in the order of the table, instead of a secret one. Every receiver of points then
        reads the ranks of a column that the table is sorted by. Without it, the buyer names
        points by numbers that `Seller.table_rows` translates.
    open_reference : bool
        Answer requests with an open reference, too. Ask the buyer whether theirs is open: only the
        service says so, and it could call a sealed one open to read the raw points.
    max_disclosure : DisclosureClass or str, optional
        The most that the service or the buyer may learn of these points by itself; by default the
        profile's limit, and without one ``'up-to-isometry'``, with a `ReadableColumnsWarning` in
        place of a refusal if columns are read through the isometry.
        `Seller.answer` attacks the arrays as every receiver could, and uploads nothing if an attack
        succeeds beyond the limit. An open reference needs ``'exact'``, which allows everything, and
        `open_reference`: the operator of the service can then compute the raw points.

    Raises
    ------
    InvalidArgumentError
        If the policy or the class is unknown.
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

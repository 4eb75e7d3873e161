"""Read what an evaluation tells a seller about the seller's own contribution."""

import warnings
from collections.abc import Iterable

from wassay.client.client import Service, require_client
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.seller.kept_rows import kept_rows
from wassay.client.shared.identity import Identity
from wassay.client.shared.receipt_reading import read_receipt
from wassay.client.shared.sent_rows import SentRows
from wassay.client.valuation.label_scores import LabelScores, label_scores_at_push
from wassay.client.valuation.scores import in_table_order
from wassay.errors import InvalidArgumentError
from wassay.key_profile import Profile
from wassay.models import (
    Contribution,
    PointScores,
)
from wassay.receipts import VerifiedReceipt


class SellerResults(Runs[R]):
    """Base of `Seller`: the operations that read results."""

    def __init__(self, client: Service[R], profile: Profile | None = None) -> None:
        require_client(client)
        super().__init__(client.run)
        self._client = client
        self._flows = client.flows
        self._identity = Identity(self._flows, profile or Profile())

    @operation
    def scores(self, evaluation_id: str, *, s: float | None = None) -> Flow[PointScores]:
        """Read the scores of this seller's points in an evaluation.

        A score is positive if more mass on the point raises the distance (noise), and negative if
        it lowers the distance (value).

        Parameters
        ----------
        evaluation_id : str
        s : float, optional
            A value of the sweep; allowed only if exact scores are disclosed. By default, the
            service chooses an s at which all sellers together are near to the buyer (see
            `wassay.models.PointScores`).

        Returns
        -------
        wassay.models.PointScores
            `noisiest` has the table's row numbers of the noisiest points, ascending. `values` has
            the scores in the order of the table's rows, if the buyer's request reveals scores and
            every other seller of the evaluation discloses scores.

        Raises
        ------
        NotFoundError
            If the evaluation does not exist, or this seller may not see it.
        ConflictError
            If the evaluation has not succeeded, or has no scores of points.
        ForbiddenError
            If exact scores are not disclosed, and `s` is given or a party has fewer than ten points
            (counted as 1/Σp² for weights p).
        InvalidArgumentError
            If the evaluation does not use a contribution of this seller.

        Warns
        -----
        UserWarning
            If the profile does not know which row each point is. Points are then numbered as sent.

        Notes
        -----
        At an s other than t0, scores also contain a term that depends on the reference.
        """
        own = yield from self._own_contribution(evaluation_id)
        found = yield from self._flows.evaluations.scores(evaluation_id, own.id, s=s)
        return in_table_order(found, self._rows_of(own))

    @operation
    def label_scores(self, evaluation_id: str) -> Flow[LabelScores]:
        """Read which labels of this seller's points are probably wrong.

        Each label is compared with the labels of the buyer's nearby points.

        Parameters
        ----------
        evaluation_id : str

        Returns
        -------
        LabelScores
            `worst` has the rows of the table whose labels are most probably wrong. `values` has
            the scores, if the buyer's request reveals scores.

        Raises
        ------
        NotFoundError
            If the evaluation does not exist, or this seller may not see it.
        ConflictError
            If the request has no labels, or a mode other than `measure`, or the evaluation has not
            succeeded.
        ForbiddenError
            If the request does not reveal scores, and the buyer or this seller has fewer than ten
            points (counted as 1/Σp² for weights p).
        InvalidArgumentError
            If the evaluation does not use a contribution of this seller.

        Warns
        -----
        UserWarning
            If the profile does not know which row each point is. Points are then numbered as sent.
        """
        own = yield from self._own_contribution(evaluation_id)
        read = yield from self._flows.evaluations.label_scores(evaluation_id, own.id)
        return label_scores_at_push(read, None, self._rows_of(own))

    def table_rows(self, contribution_id: str, points: Iterable[int] | None = None) -> list[int]:
        """Return the rows of a contribution's points in this seller's table.

        The buyer knows points only by their numbers as sent.

        Parameters
        ----------
        contribution_id : str
        points : iterable of int, optional
            Numbers of points as sent, from 0; by default all points.

        Returns
        -------
        list of int
            The row of each point, from 0, in the table that was passed to `answer`.

        Raises
        ------
        InvalidArgumentError
            If the profile does not know the contribution, a number is not that of a sent point, or
            the file beside the profile does not contain rows.

        Examples
        --------
        >>> seller.table_rows(contribution.id, [3, 41])
        """
        rows = kept_rows(self._identity.profile, contribution_id)
        if rows is None:
            raise InvalidArgumentError(
                f"{self._identity.profile.path} does not know which rows the points of "
                f"{contribution_id} are: pass the profile that the contribution was sent with"
            )
        return rows.numbers.tolist() if points is None else rows.of_points(points)

    def _rows_of(self, contribution: Contribution) -> SentRows | None:
        """Return the rows of a contribution's points; warn and return None if they are unknown."""
        rows = kept_rows(self._identity.profile, contribution.id)
        if rows is None:
            warnings.warn(
                f"this profile does not know which rows the points of {contribution.id} are, so "
                "they are numbered as they were sent: pass the profile that the contribution was "
                "sent with",
                stacklevel=2,
            )
        return rows

    @operation
    def receipt(self, evaluation_id: str) -> Flow[VerifiedReceipt]:
        """Read and verify this seller's own receipt of an evaluation.

        Parameters
        ----------
        evaluation_id : str

        Returns
        -------
        VerifiedReceipt
            To verify the receipt again later, save its `content` byte for byte.

        Raises
        ------
        NotFoundError
            If the evaluation does not exist, or this seller may not see it.
        ConflictError
            If the evaluation is unfinished or failed.
        IntegrityError
            If no published key signed the receipt, or the receipt is of another evaluation.
        """
        return read_receipt(self._flows, evaluation_id)

    def _own_contribution(self, evaluation_id: str) -> Flow[Contribution]:
        """Return the contribution of this seller that an evaluation uses.

        Raises
        ------
        InvalidArgumentError
            If the evaluation uses no contribution of this seller.
        """
        evaluation = yield from self._flows.evaluations.get(evaluation_id)
        me = yield from self._identity.account_id()
        contributions = yield from self._flows.contributions.list(evaluation.request_id).all()
        for each in contributions:
            if each.account_id == me and each.id in evaluation.contribution_ids:
                return each
        raise InvalidArgumentError(
            f"expected an evaluation that uses a contribution of {me}, the account of this key; "
            f"{evaluation_id} uses none of it: is this the seller's key?"
        )

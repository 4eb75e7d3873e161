"""Read what an evaluation says of a seller's own contribution."""

import warnings
from collections.abc import Iterable

from wassay.client.client import Service, require_client
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.errors import InvalidArgumentError
from wassay.client.seller.kept_rows import kept_rows
from wassay.client.shared.identity import Identity
from wassay.client.shared.receipts import read_receipt
from wassay.client.shared.sent_rows import SentRows
from wassay.client.valuation.label_scores import LabelScores, label_scores_at_push
from wassay.client.valuation.scores import in_table_order
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
        """Read scores of one's own points in an evaluation.

        If more mass on a point raises the distance (noise), its score is positive; if more mass
        lowers the distance (value), its score is negative. By default, scores are those at the s at
        which the sellers' points pass the buyer's, near the buyer's t0. At other s, scores also
        contain a term of the reference, which grows with the distance from t0.

        Parameters
        ----------
        evaluation_id : str
        s : float, optional
            A value of the sweep, where exact scores are disclosed.

        Returns
        -------
        wassay.models.PointScores
            The `noisiest` points, by the numbers of their rows in the table, ascending; and
            `values` in the order of the table's rows, if the buyer's request reveals scores and
            every other seller of the evaluation discloses them. If the profile does not know the
            rows, it warns, and points are numbered as they were sent.

        Raises
        ------
        NotFoundError
            If this seller may not see such an evaluation.
        ForbiddenError
            If no point may be disclosed: a party has fewer than ten points, or its mass lies on
            fewer. Or if an s is named, and exact scores are not disclosed.
        InvalidArgumentError
            If the evaluation does not use a contribution of this seller.
        """
        own = yield from self._own_contribution(evaluation_id)
        found = yield from self._flows.evaluations.scores(evaluation_id, own.id, s=s)
        return in_table_order(found, self._rows_of(own))

    @operation
    def label_scores(self, evaluation_id: str) -> Flow[LabelScores]:
        """Read which labels of one's own points are probably wrong.

        They are judged by the labels of the buyer's points nearby, in evaluations of labelled
        requests in mode `measure`.

        Parameters
        ----------
        evaluation_id : str

        Returns
        -------
        LabelScores
            The rows of the `worst`; and `values`, if the buyer's request reveals scores.

        Raises
        ------
        NotFoundError
            If this seller may not see such an evaluation.
        ConflictError
            If the request has no labels, or not in mode `measure`.
        ForbiddenError
            If no point may be disclosed: the buyer or the seller has fewer than ten points, or
            their mass lies on fewer.
        InvalidArgumentError
            If the evaluation does not use a contribution of this seller.
        """
        own = yield from self._own_contribution(evaluation_id)
        read = yield from self._flows.evaluations.label_scores(evaluation_id, own.id)
        return label_scores_at_push(read, None, self._rows_of(own))

    def table_rows(self, contribution_id: str, points: Iterable[int] | None = None) -> list[int]:
        """Return which rows of one's table the points of a contribution are.

        Rows are sent in a secret order, which this profile remembers. A buyer who names points
        (`Evaluation.noisy`, the report) numbers them as they were sent.

        Parameters
        ----------
        contribution_id : str
        points : iterable of int, optional
            Numbers of points, from 0, as they were sent; by default those of all points.

        Returns
        -------
        list of int
            The row of each point, from 0, in the table that was passed to `answer`.

        Raises
        ------
        InvalidArgumentError
            If this profile did not send the contribution, no point has one of the numbers, or the
            file beside the profile holds something else.

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
        """Return which rows of the table the points of a contribution are; warn if unknown."""
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
        """Read and verify the receipt of one's own part of an evaluation; store its `content`.

        Parameters
        ----------
        evaluation_id : str

        Returns
        -------
        VerifiedReceipt

        Raises
        ------
        NotFoundError
            If this seller may not see such an evaluation.
        IntegrityError
            If the receipt is not signed by a published key, or is of another evaluation.
        """
        return read_receipt(self._flows, evaluation_id)

    def _own_contribution(self, evaluation_id: str) -> Flow[Contribution]:
        """Return the contribution of this seller that an evaluation uses.

        Raises
        ------
        InvalidArgumentError
            If it uses none.
        """
        evaluation = yield from self._flows.evaluations.get(evaluation_id)
        me = yield from self._identity.account_id()
        contributions = yield from self._flows.contributions.list(evaluation.request_id).all()
        for each in contributions:
            if each.account_id == me and each.id in evaluation.contribution_ids:
                return each
        raise InvalidArgumentError(f"evaluation {evaluation_id} uses no contribution of {me}")

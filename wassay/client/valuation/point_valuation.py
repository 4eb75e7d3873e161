"""Value the points of an evaluation's sellers at the private t0."""

import numpy as np
from numpy.typing import ArrayLike

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.errors import ForbiddenError, InvalidArgumentError
from wassay.client.valuation.detection import DetectionCurve
from wassay.client.valuation.label_scores import LabelScores, label_scores_at_push
from wassay.client.valuation.methods.points import CUTOFF
from wassay.client.valuation.methods.registry import (
    MISLABELLED,
    NOISE,
    NOISY,
    OUTLIERS,
    VALUABLE,
)
from wassay.client.valuation.noise import Noise
from wassay.client.valuation.point_selection import Noisiest, PointSelection, VisibleScores
from wassay.client.valuation.scores import in_table_order, scores_at_push, scores_rounding
from wassay.transport import Scores


class PointValuation(Runs[R]):
    """Base of `Valuation`: the operations that value points.

    Attributes
    ----------
    id : str
        The id of the evaluation.
    """

    def __init__(
        self, service: Service[R], evaluation: models.Evaluation, push: PrivatePush
    ) -> None:
        super().__init__(service.run)
        self._flows = service.flows
        self._document = evaluation
        self._push = push
        self.id = evaluation.id

    @operation
    def scores(
        self, contribution_id: str | None = None, *, s: float | None = None
    ) -> Flow[models.PointScores]:
        """Read the scores of points, as far as the sellers disclose them.

        Parameters
        ----------
        contribution_id : str, optional
            The contribution whose points are scored; by default the buyer's own points.
        s : float, optional
            A value of the sweep, where scores are disclosed. By default the s at which the sellers'
            points pass the buyer's: near t0, and t0 itself if the means of the raw points are
            equal.

        Returns
        -------
        wassay.models.PointScores
            Scores, ranks, or only the noisiest points: the buyer's own in the order of the table, a
            seller's by their numbers as sent, which `Seller.table_rows` translates.

        Raises
        ------
        ForbiddenError
            If the seller discloses nothing; or, for the buyer's own points or at an s, if a seller
            of the evaluation discloses less than scores.
        """
        found = yield from self._flows.evaluations.scores(self.id, contribution_id, s=s)
        return in_table_order(found, self._push.rows) if contribution_id is None else found

    @operation
    def scores_at_t0(self, contribution_id: str | None = None) -> Flow[Scores]:
        """Interpolate scores over the sweep at the request's t0: the scores of the raw data.

        Parameters
        ----------
        contribution_id : str, optional
            The contribution whose points are scored; by default the buyer's own points.

        Returns
        -------
        Scores
            `values`: positive if more mass on the point raises the distance (noise), negative if
            it lowers it (value). `spread`: the range of optimal potentials on the point; scores
            closer than their spreads are tied. Exact with a reference of one point and p = 2, an
            approximation otherwise.

        Raises
        ------
        ForbiddenError
            If a seller of the evaluation discloses less than scores.
        """
        request = yield from self._flows.requests.get(self._document.request_id)
        swept = {}
        for s in request.sweep:
            swept[s] = yield from PointValuation.scores.flow(self, contribution_id, s=s)
        return scores_at_push(swept, self._push.t0, request.order)

    @operation
    def detection_curve(
        self, truth: ArrayLike, contribution_id: str | None = None
    ) -> Flow[DetectionCurve]:
        """Compare scores with a known truth: how many noisy points are found by inspection.

        For tests of the method on data whose noise is known, for example planted.

        Parameters
        ----------
        truth : array_like of bool, shape (n,)
            Which points are noisy: the buyer's own in the order of the table, a seller's in the
            order in which they were sent (`Seller.table_rows` says which rows these are).
        contribution_id : str, optional
            The contribution whose points are inspected; by default the buyer's own points.

        Returns
        -------
        DetectionCurve
            By scores at t0 or, if the seller discloses only ranks, by these.

        Raises
        ------
        InvalidArgumentError
            If the truth is not one boolean a point, all are equal, or the seller discloses only the
            noisiest points.
        ForbiddenError
            If the seller discloses nothing; or, for the buyer's own points, if a seller of the
            evaluation discloses less than scores.
        """
        shown = yield from PointValuation.scores.flow(self, contribution_id)
        if shown.ranks is not None and shown.values is None:
            return DetectionCurve.of(-np.asarray(shown.ranks), truth)
        scores = yield from PointValuation.scores_at_t0.flow(self, contribution_id)
        return DetectionCurve.of(scores.values, truth)

    @operation
    def label_scores(self, contribution_id: str) -> Flow[LabelScores]:
        """Read the scores of the labels of a seller's points at the request's t0.

        They find labels that are probably wrong: the highest scores, judged by the labels of the
        buyer's points nearby. At t0, they are those of the raw points. The request must have been
        asked with labels, in mode `measure`.

        Parameters
        ----------
        contribution_id : str

        Returns
        -------
        LabelScores
            Scores and ranks, if the seller discloses scores; otherwise ranks alone, at the s at
            which the means of both sides' points are nearest.

        Raises
        ------
        ConflictError
            If the request has no labels, or not in mode `measure`.
        ForbiddenError
            If the seller discloses nothing.
        """
        read = yield from self._flows.evaluations.label_scores(self.id, contribution_id)
        return label_scores_at_push(read, self._push.t0)

    @operation
    def mislabelled(self, *, top: int) -> Flow[PointSelection]:
        """Select the points of all sellers whose label is most probably wrong, for inspection.

        Points with disclosed `label_scores` are compared. A seller who discloses only ranks gets a
        share of the selection. Sellers who disclose nothing are listed in `withheld`.

        Parameters
        ----------
        top : int
            The largest number of points to select.

        Returns
        -------
        PointSelection

        Raises
        ------
        ConflictError
            If the request has no labels, or not in mode `measure`.
        """
        return MISLABELLED.value(self, top=top)

    @operation
    def noisy(self, *, top: int) -> Flow[PointSelection]:
        """Select the points of all sellers that stand out most from their seller's, for inspection.

        Points with disclosed scores are compared at t0 by how far they are above the median of
        their seller's scores, so that it does not matter how near the seller as a whole is. A
        seller who discloses only ranks or the noisiest points gets a share of the selection.
        Sellers who disclose nothing are listed in `withheld`. Scores are disclosed if every seller
        of the evaluation discloses them, ranks if there is one seller.

        Parameters
        ----------
        top : int
            The largest number of points to select.

        Returns
        -------
        PointSelection
        """
        return NOISY.value(self, top=top)

    @operation
    def valuable(self, *, budget: int) -> Flow[PointSelection]:
        """Select the points of all sellers that lower the distance most, for purchase.

        Points with disclosed scores are compared at t0 with those of all sellers. A seller who
        discloses only ranks contributes the best of them, in proportion to the number of points;
        one who discloses only the noisiest points contributes any of the others. `advice` says so,
        and what more consent would bring. Sellers who disclose nothing are listed in `withheld`.

        Parameters
        ----------
        budget : int
            The largest number of points to select.

        Returns
        -------
        PointSelection
        """
        return VALUABLE.value(self, budget=budget)

    @operation
    def outliers(self, *, cutoff: float = CUTOFF) -> Flow[PointSelection]:
        """Select the points that lie outside the buyer's distribution.

        Such a point's score at t0 exceeds the median of their seller's scores by more than `cutoff`
        robust standard deviations. Sellers who do not disclose scores are listed in `withheld`.

        Parameters
        ----------
        cutoff : float
            Positive.

        Returns
        -------
        PointSelection

        Raises
        ------
        InvalidArgumentError
            If the cutoff is not positive.
        """
        return OUTLIERS.value(self, cutoff=cutoff)

    @operation
    def noise(self, *, cutoff: float = CUTOFF) -> Flow[Noise]:
        """Find, for each seller, the points that stand out from the seller's other points.

        Noise is a property within a seller: spoilt points of a seller who is near as a whole can
        lower the distance, and still be the worst that this seller has. So each point is compared
        with the median of its seller's scores, and the seller as a whole with the others
        (`offset`). For sellers who disclose less than scores, the list has what they disclose.

        Parameters
        ----------
        cutoff : float
            With scores, a point stands out from so many robust standard deviations on.

        Returns
        -------
        Noise

        Raises
        ------
        InvalidArgumentError
            If the cutoff is not positive.
        """
        return NOISE.value(self, cutoff=cutoff)

    def _require_exact(self) -> None:
        if self._document.epsilon is not None:
            raise InvalidArgumentError(
                f"results of this request carry noise (ε = {self._document.epsilon:g}): read "
                "noised_result(), the only result there is; it has no scores and no valuations"
            )

    def scored_sellers(self) -> Flow[list[models.SellerResult]]:
        """Return the sellers whose points are scored, for valuation methods."""
        self._require_exact()
        return (yield from self._flows.evaluations.result(self.id)).sellers

    def visible_label_scores(self, contribution_id: str) -> Flow[LabelScores | None]:
        """Read the scores of a seller's labels, for valuation methods; None if withheld."""
        try:
            return (yield from PointValuation.label_scores.flow(self, contribution_id))
        except ForbiddenError:
            return None

    def visible_scores(self) -> Flow[list[VisibleScores]]:
        """Read the scores that each seller discloses, for valuation methods."""
        self._require_exact()
        document = yield from self._flows.evaluations.result(self.id)
        rounding = scores_rounding(document, self._push.t0)
        visible = []
        for seller in document.sellers:
            name, label = seller.contribution_id, seller.label
            if seller.scores_shown == "scores":
                scores = yield from PointValuation.scores_at_t0.flow(self, name)
                spread = scores.spread + 2 * rounding
                visible.append(VisibleScores(name, label, scores=scores.values, spread=spread))
            elif seller.scores_shown == "ranks":
                ranked = yield from PointValuation.scores.flow(self, name)
                visible.append(
                    VisibleScores(name, label, ranks=np.asarray(ranked.ranks, dtype=np.intp))
                )
            elif seller.scores_shown == "noisiest":
                ranked = yield from PointValuation.scores.flow(self, name)
                few = Noisiest(tuple(ranked.noisiest), seller.points)
                visible.append(VisibleScores(name, label, noisiest=few))
            else:
                visible.append(VisibleScores(name, label, points=seller.points))
        return visible

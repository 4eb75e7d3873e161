"""Value the points of an evaluation's sellers at the buyer's private t0."""

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
from wassay.client.errors import ForbiddenError
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
from wassay.errors import InvalidArgumentError
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
            A value of the sweep. By default, the service chooses an s at which all sellers together
            are near to the buyer (see `wassay.models.PointScores`).

        Returns
        -------
        wassay.models.PointScores
            Scores, ranks, or only the noisiest points. The buyer's own points are in the order of
            the table; a seller's points are numbered as sent.

        Raises
        ------
        ConflictError
            If the evaluation has not succeeded, or has no scores of points.
        ForbiddenError
            If the seller discloses nothing, or a party has too few points to name the noisiest. For
            the buyer's own points or with an `s`, also if any seller of the evaluation discloses
            less than scores.
        """
        found = yield from self._flows.evaluations.scores(self.id, contribution_id, s=s)
        return in_table_order(found, self._push.rows) if contribution_id is None else found

    @operation
    def scores_at_t0(self, contribution_id: str | None = None) -> Flow[Scores]:
        """Interpolate scores at the request's t0, where they equal the scores of the raw data.

        Parameters
        ----------
        contribution_id : str, optional
            The contribution whose points are scored; by default the buyer's own points.

        Returns
        -------
        Scores
            A value is positive if more mass on the point raises the distance (noise), and negative
            if more mass lowers the distance (value). Scores that differ by less than their spreads
            are tied.

        Raises
        ------
        ForbiddenError
            If a seller of the evaluation discloses less than scores.

        Notes
        -----
        For p = 2 and a reference of one point, scores are exact; otherwise approximate.
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
        """Compute how many noisy points are found by inspecting points in the order of scores.

        Use this to test the method on data whose noisy points are known.

        Parameters
        ----------
        truth : array_like of bool, shape (n,)
            True for each noisy point. The buyer's own points are in the order of the table; a
            seller's points are in the order in which they were sent.
        contribution_id : str, optional
            The contribution whose points are inspected; by default the buyer's own points.

        Returns
        -------
        DetectionCurve
            The curve for inspection in the order of scores at t0, or of ranks if the seller
            discloses only ranks.

        Raises
        ------
        InvalidArgumentError
            If `truth` is not one boolean for each point, or all booleans are equal.
        ForbiddenError
            If neither scores nor ranks of the points can be read.
        """
        shown = yield from PointValuation.scores.flow(self, contribution_id)
        if shown.ranks is not None and shown.values is None:
            return DetectionCurve.of(-np.asarray(shown.ranks), truth)
        scores = yield from PointValuation.scores_at_t0.flow(self, contribution_id)
        return DetectionCurve.of(scores.values, truth)

    @operation
    def label_scores(self, contribution_id: str) -> Flow[LabelScores]:
        """Read the scores of the labels of a seller's points at the request's t0.

        Labels with the highest scores contradict the buyer's labels nearby, and are probably wrong.

        Parameters
        ----------
        contribution_id : str

        Returns
        -------
        LabelScores
            Scores and ranks if the seller discloses scores. Otherwise only ranks, which may differ
            from the ranks at t0.

        Raises
        ------
        ConflictError
            If the request has no labels, or a mode other than `measure`, or the evaluation has not
            succeeded.
        ForbiddenError
            If the seller discloses nothing.
        """
        read = yield from self._flows.evaluations.label_scores(self.id, contribution_id)
        return label_scores_at_push(read, self._push.t0)

    @operation
    def mislabelled(self, *, top: int) -> Flow[PointSelection]:
        """Select, from all sellers, the points whose labels are most probably wrong.

        A point is chosen by how far its label's score is above the median of its seller's scores.
        `PointSelection.withheld` lists the sellers who disclose nothing.

        Parameters
        ----------
        top : int
            The largest number of points to select.

        Returns
        -------
        PointSelection

        Raises
        ------
        InvalidArgumentError
            If `top` is not a whole number of at least 1, or the request has an epsilon.
        ConflictError
            If the request has no labels, or a mode other than `measure`.

        Notes
        -----
        A score is one of the `label_scores`, times the number of the seller's points. A seller who
        discloses only ranks gets a share of the selection, in proportion to the number of points.
        """
        return MISLABELLED.value(self, top=top)

    @operation
    def noisy(self, *, top: int) -> Flow[PointSelection]:
        """Select the points that stand out most from their seller's other points, for inspection.

        A point is chosen by how far its score at t0 is above the median of its seller's scores.
        `PointSelection.withheld` lists the sellers who disclose nothing.

        Parameters
        ----------
        top : int
            The largest number of points to select.

        Returns
        -------
        PointSelection

        Raises
        ------
        InvalidArgumentError
            If `top` is not a whole number of at least 1, or the request has an epsilon.

        Notes
        -----
        A seller who discloses only ranks or the noisiest points gets a share of the selection, in
        proportion to the number of points. Scores can be read only if every seller of the
        evaluation discloses them, and ranks only if the evaluation has one seller.
        """
        return NOISY.value(self, top=top)

    @operation
    def valuable(self, *, budget: int) -> Flow[PointSelection]:
        """Select the points of all sellers that lower the distance most, for purchase.

        A point is chosen by its score at t0. `PointSelection.withheld` lists sellers who disclose
        nothing.

        Parameters
        ----------
        budget : int
            The largest number of points to select.

        Returns
        -------
        PointSelection

        Raises
        ------
        InvalidArgumentError
            If `budget` is not a whole number of at least 1, or the request has an epsilon.

        Notes
        -----
        A seller who discloses only ranks or the noisiest points gets a share of the selection, in
        proportion to the number of points that can be chosen; `PointSelection.advice` names such
        sellers. With ranks, the points of the lowest scores are chosen. Otherwise, any points that
        are not named as noisiest are chosen.
        """
        return VALUABLE.value(self, budget=budget)

    @operation
    def outliers(self, *, cutoff: float = CUTOFF) -> Flow[PointSelection]:
        """Select the points that lie outside the buyer's distribution.

        A point is selected if its score at t0 is far above the median of its seller's scores.
        `PointSelection.withheld` lists the sellers who do not disclose scores.

        Parameters
        ----------
        cutoff : float
            How far above the median, in robust standard deviations; a positive number.

        Returns
        -------
        PointSelection

        Raises
        ------
        InvalidArgumentError
            If the cutoff is not positive, or the request has an epsilon.

        Notes
        -----
        A score less half its spread is compared with the median of the scores, each plus half its
        spread.
        """
        return OUTLIERS.value(self, cutoff=cutoff)

    @operation
    def noise(self, *, cutoff: float = CUTOFF) -> Flow[Noise]:
        """Find, for each seller, the points that stand out from the seller's other points.

        A point stands out if its score at t0 is far above the median of its seller's scores. For a
        seller who discloses only ranks or the noisiest points, the result lists the noisiest
        points.

        Parameters
        ----------
        cutoff : float
            How far above the median, in robust standard deviations; a positive number.

        Returns
        -------
        Noise

        Raises
        ------
        InvalidArgumentError
            If the cutoff is not positive, or the request has an epsilon.

        Notes
        -----
        A score less half its spread is compared with the median of the scores, each plus half its
        spread.
        `SellerNoise.offset` compares the seller as a whole with the other sellers.
        """
        return NOISE.value(self, cutoff=cutoff)

    def _require_exact(self) -> None:
        if self._document.epsilon is not None:
            raise InvalidArgumentError(
                f"results of this request carry noise (ε = {self._document.epsilon:g}): read "
                "noised_result(), the only result there is; it has no scores and no valuations"
            )

    def scored_sellers(self) -> Flow[list[models.SellerResult]]:
        """Return the sellers of the evaluation's result, for valuation methods.

        Raises
        ------
        InvalidArgumentError
            If the request has an epsilon: its results have no scores.
        """
        self._require_exact()
        return (yield from self._flows.evaluations.result(self.id)).sellers

    def visible_label_scores(self, contribution_id: str) -> Flow[LabelScores | None]:
        """Read the scores of a seller's labels, for valuation methods.

        Returns
        -------
        LabelScores or None
            None if the seller discloses neither scores nor ranks nor the worst labels.
        """
        try:
            return (yield from PointValuation.label_scores.flow(self, contribution_id))
        except ForbiddenError:
            return None

    def visible_scores(self) -> Flow[list[VisibleScores]]:
        """Read what each seller discloses of the scores of points, for valuation methods.

        Raises
        ------
        InvalidArgumentError
            If the request has an epsilon: its results have no scores.
        """
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

"""Method `mislabelled`: the points whose labels are probably wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wassay.client.shared.arguments import as_count
from wassay.client.valuation.methods.points import PointsMethod
from wassay.client.valuation.point_selection import PointSelection, VisibleScores, select_points

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow
    from wassay.client.valuation.point_valuation import PointValuation


class MislabelledMethod(PointsMethod):
    """The method `mislabelled`: find the points whose labels contradict the buyer's labels most."""

    name = "mislabelled"
    summary = "Points whose label is probably wrong: it contradicts the buyer's labels nearby."

    def value(self, evaluation: PointValuation[Any], *, top: int) -> Flow[PointSelection]:
        """Select at most `top` points; see `Evaluation.mislabelled`."""
        count = as_count(top, "top")
        visible = []
        for seller in (yield from evaluation.scored_sellers()):
            name, label = seller.contribution_id, seller.label
            scores = yield from evaluation.visible_label_scores(name)
            if scores is None:
                visible.append(VisibleScores(name, label))
            elif scores.values is not None:
                # A seller's scores sum to minus the accuracy, so they are the smaller the more
                # points there are. Multiply them by that number to compare sellers of all sizes.
                visible.append(VisibleScores(name, label, scores=scores.values * seller.points))
            else:  # a seller's own policy decides what buyers read, and shows at least ranks
                visible.append(VisibleScores(name, label, ranks=scores.ranks))
        return select_points(visible, count, noisiest=True)

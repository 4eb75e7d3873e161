"""Methods that value single points by scores at t0: `noisy`, `valuable`, `outliers`, `noise`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wassay.client.shared.arguments import as_count, as_positive
from wassay.client.valuation.methods.method import Printed, ValuationMethod
from wassay.client.valuation.noise import Noise, noise_of
from wassay.client.valuation.point_selection import (
    NUMBERED_AS_SENT,
    PointSelection,
    select_outliers,
    select_points,
)
from wassay.control_characters import escape_line
from wassay.table import table

if TYPE_CHECKING:
    from wassay.client.connection.flows import Flow
    from wassay.client.valuation.point_valuation import PointValuation
    from wassay.models import SellerResult

CUTOFF = 3.5
"""By how many robust standard deviations an outlier exceeds the median of its seller's scores."""


class PointsMethod(ValuationMethod[PointSelection]):
    """Base of the methods that select points."""

    def printed(self, found: PointSelection, sellers: Sequence[SellerResult]) -> Printed:
        """Return a table of the selected points; see `print_points`."""
        del sellers
        return print_points(found)


class NoisyMethod(PointsMethod):
    """The method `noisy`: select points that stand out most from their seller's other points."""

    name = "noisy"
    summary = "Points to inspect: those that stand out most from their seller's other points."

    def value(self, evaluation: PointValuation[Any], *, top: int) -> Flow[PointSelection]:
        """Select the points; see `Evaluation.noisy`."""
        count = as_count(top, "top")
        return select_points((yield from evaluation.visible_scores()), count, noisiest=True)


class ValuableMethod(PointsMethod):
    """The method `valuable`: find the points that reduce the distance most."""

    name = "valuable"
    summary = "Points to buy: those that lower the distance most."

    def value(self, evaluation: PointValuation[Any], *, budget: int) -> Flow[PointSelection]:
        """Select the points; see `Evaluation.valuable`."""
        count = as_count(budget, "budget")
        return select_points((yield from evaluation.visible_scores()), count, noisiest=False)


class OutliersMethod(PointsMethod):
    """The method `outliers`: find the points outside the buyer's distribution."""

    name = "outliers"
    summary = "Points outside the buyer's distribution: their scores are far above their seller's."

    def value(
        self, evaluation: PointValuation[Any], *, cutoff: float = CUTOFF
    ) -> Flow[PointSelection]:
        """Select the points; see `Evaluation.outliers`."""
        cutoff = as_positive(cutoff, "cutoff")
        return select_outliers((yield from evaluation.visible_scores()), cutoff)


class NoiseMethod(ValuationMethod[Noise]):
    """The method `noise`: find the points that stand out from their seller's other points."""

    name = "noise"
    summary = "For each seller, the points that stand out from the seller's other points."

    def value(self, evaluation: PointValuation[Any], *, cutoff: float = CUTOFF) -> Flow[Noise]:
        """Find the points; see `Evaluation.noise`."""
        cutoff = as_positive(cutoff, "cutoff")
        return noise_of((yield from evaluation.visible_scores()), cutoff)

    def printed(self, found: Noise, sellers: Sequence[SellerResult]) -> Printed:
        """Return a table of sellers and their noisy points, with explanations."""
        del sellers
        return Printed((str(found),))


def print_points(selected: PointSelection) -> Printed:
    """Return a table of the selected points, with notes.

    The notes say how points are numbered and selected, and which sellers disclose too little about
    scores to select their points.
    """
    rows = [
        (
            each.label,
            each.contribution_id,
            str(each.index),
            "" if each.score is None else f"{each.score:+z.4g}",
            "" if each.deviation is None else f"{each.deviation:+z.4g}",
        )
        for each in selected.points
    ]
    lines = (
        (table(("seller", "contribution", "point", "score", "above own median"), rows),)
        if rows
        else ()
    )
    notes = [NUMBERED_AS_SENT if rows else "No point is selected."]
    notes += map(escape_line, selected.advice)
    if selected.withheld:
        withheld = escape_line(", ".join(selected.withheld))
        more = "" if selected.enough == "scores" else " or more"
        notes.append(
            f"These sellers show too little to select by: {withheld}. "
            f'Ask them to answer with scores="{selected.enough}"{more}.'
        )
    return Printed(lines, tuple(notes))

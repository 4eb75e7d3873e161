"""Distances of the raw data, estimated from a result at the buyer's private t0."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.valuation.coalition_distances import CoalitionEstimates
from wassay.control_characters import escape_line
from wassay.coverage import Coverage, coverage_at
from wassay.nearness import WORDS, explain, judge_seller
from wassay.table import change, fixed, table
from wassay.tabular import Columns, Tabular, records_to_columns
from wassay.transport import (
    Estimate,
    Nearness,
    ScaledDistance,
    relative_scores,
    smallest_first,
)
from wassay.unique_labels import EVERYONE, unique_labels

UNVERIFIED = "unverified"
"""The text shown in place of an interval for a contribution in mode `scalar`."""

COMPUTED_TO_WITHIN = "computed to within"
"""The heading of the intervals of distances, which do not cover the error of sampling."""

MOST_EXPLAINED = 12
"""The largest number of sellers whose verdicts are explained below the table."""

NARROW = 1e-4
"""A narrower interval is shown by its half width, because both ends would print alike."""


@dataclass(frozen=True)
class SellerEstimate:
    """The distances of one seller at t0.

    Attributes
    ----------
    contribution_id, account_id, label : str
    verified : bool
        False for a contribution in mode `scalar`, whose numbers are only the seller's claim.
    points : int
        The number of points in the contribution.
    singleton : Estimate
        The distance between the buyer's and the seller's points. If points are projected at random,
        this is a lower bound, and its interval has no upper end.
    relative_score : float
        The distance on a linear scale from 0, the farthest seller, to 1, the nearest. Sellers whose
        distances differ only by errors of computation have equal scores.
    leave_one_out : Estimate or None
        The distance to all other sellers together; None if there are no others, or if this distance
        was not computed.
    change : float or None
        `leave_one_out` minus the distance to all sellers together; None if one of these is unknown.
        Positive if this seller brings the others nearer, negative if the others are nearer without
        this seller.
    scaled : ScaledDistance or None
        The value of `singleton`, scaled up to the distance of the raw points; None if points are
        not projected at random.
    nearness : wassay.transport.Nearness or None
        Whether the seller's points could be a sample of the buyer's population, and the distances
        that show it. None if the service did not compare random parts of both sides' points.
    not_judged : str or None
        A sentence that says why `nearness` is None.
    """

    contribution_id: str
    account_id: str
    label: str
    verified: bool
    points: int
    singleton: Estimate
    relative_score: float
    leave_one_out: Estimate | None
    change: float | None
    scaled: ScaledDistance | None = None
    nearness: Nearness | None = None
    not_judged: str | None = None

    @property
    def verdict(self) -> str:
        """The verdict in words, such as "as near as your own data"."""
        return WORDS["cannot-tell" if self.nearness is None else self.nearness.verdict]

    @property
    def explanation(self) -> str:
        """Sentences that explain the verdict, or why there is no verdict."""
        return (self.not_judged or "") if self.nearness is None else explain(self.nearness)


@dataclass(frozen=True, repr=False)
class Estimates(Tabular):
    """Estimated distances of the raw data; prints as a table.

    Attributes
    ----------
    order : int
        The p of W_p.
    buyer_points : int
        The number of the buyer's points.
    grand_coalition : Estimate or None
        The distance to all sellers together; None if several sellers contributed in mode `scalar`.
    sellers : tuple of SellerEstimate
        The nearest seller first; equally near sellers in the order of
        `wassay.models.Result.sellers`.
    scaled : ScaledDistance or None
        The value of `grand_coalition`, scaled up to the distance of the raw points; None if points
        are not projected at random.
    findings : tuple of str
        Sentences about anomalies of contributions, which are not excluded. `Result.document` has
        the evidence.
    omitted : str or None
        If a seller's cap forbids leave-one-out distances, a sentence that says so; otherwise None.
    sampled : str or None
        How many of the buyer's rows were drawn, such as "500 of 2,000 rows, drawn with seed 7";
        None if all rows were used.
    coverage : wassay.Coverage or None
        The share of the buyer's points that lie near points of sellers; None if no points could be
        compared. Comparing points needs the mode `measure` and a reference of one point.
    """

    order: int
    buyer_points: int
    grand_coalition: Estimate | None
    sellers: tuple[SellerEstimate, ...]
    findings: tuple[str, ...]
    scaled: ScaledDistance | None = None
    omitted: str | None = None
    sampled: str | None = None
    coverage: Coverage | None = None

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each seller, the nearest first.

        Returns
        -------
        dict of str to list
        """
        rows = [
            {
                "seller": each.label,
                "contribution_id": each.contribution_id,
                "points": each.points,
                "distance": each.singleton.value,
                "low": None if each.singleton.interval is None else each.singleton.interval[0],
                "high": None if each.singleton.interval is None else each.singleton.interval[1],
                "scaled_up": None if each.scaled is None else each.scaled.value,
                "verdict": each.verdict,
                "relative_score": each.relative_score,
                "change_if_left_out": each.change,
                "covers": self._coverage_of(each.contribution_id),
                "verified": each.verified,
            }
            for each in self.sellers
        ]
        return records_to_columns(rows)

    def _coverage_of(self, contribution_id: str) -> float | None:
        if self.coverage is None or contribution_id not in self.coverage.labels:
            return None
        return self.coverage.of(contribution_id)

    def notes(self) -> list[str]:
        """Return the distance to all sellers together, and the notes below the printed table.

        Returns
        -------
        list of str
        """
        names = unique_labels({each.contribution_id: each.label for each in self.sellers})
        together = (
            []
            if self.grand_coalition is None or len(self.sellers) < 2
            else [f"{EVERYONE}: {fixed(self.grand_coalition.value)}"]
        )
        return [*together, *self._notes(names)]

    def _notes(self, names: Mapping[str, str]) -> list[str]:
        return [
            *(
                f"{names[seller.contribution_id]}: {seller.explanation}"
                for seller in self.sellers[:MOST_EXPLAINED]
                if seller.explanation
            ),
            *([] if self.coverage is None else [str(self.coverage)]),
            *(f"Found: {sentence}" for sentence in self.findings),
            *([] if self.omitted is None else [self.omitted]),
            *([] if self.sampled is None else [f"Your points: {self.sampled}."]),
        ]

    def __str__(self) -> str:
        names = unique_labels({each.contribution_id: each.label for each in self.sellers})
        rows = [
            (
                names[seller.contribution_id],
                str(seller.points),
                fixed(seller.singleton.value),
                format_interval(seller.singleton, verified=seller.verified),
                *_scaled_cells(seller.scaled),
                seller.verdict,
                f"{seller.relative_score:.2f}",
                "" if seller.change is None else change(seller.change),
            )
            for seller in self.sellers
        ]
        is_projected = any(seller.scaled is not None for seller in self.sellers)
        if self.grand_coalition is not None and len(self.sellers) > 1:
            points = str(sum(seller.points for seller in self.sellers))
            grand_coalition = fixed(self.grand_coalition.value)
            certified = format_interval(self.grand_coalition)
            scaled = _scaled_cells(self.scaled)
            rows.append((EVERYONE, points, grand_coalition, certified, *scaled, "", "", ""))
        columns = (
            "seller",
            "points",
            f"W{self.order} of projections" if is_projected else f"W{self.order} distance",
            COMPUTED_TO_WITHIN,
            *(("scaled up", "range of draws") if is_projected else ()),
            "verdict",
            "relative score",
            "change if left out",
        )
        notes = map(escape_line, self._notes(names))
        return "\n".join([table(columns, rows), *notes])


def estimate_distances(
    result: models.Result, push: PrivatePush, omitted: str | None = None
) -> Estimates:
    """Evaluate every distance curve of a result at t0.

    Parameters
    ----------
    result : wassay.models.Result
    push : PrivatePush
        The buyer's push, which holds t0.
    omitted : str, optional
        If a seller's cap forbids leave-one-out distances, a sentence that says so.

    Raises
    ------
    NegativeRadicand
        If the fit of a curve is negative at t0.
    """
    estimates = CoalitionEstimates(result, push)
    everyone, scaling = set(estimates.contribution_ids), push.scaling
    grand_coalition = None if result.grand_coalition is None else estimates(everyone)
    singleton = {name: estimates({name}) for name in estimates.contribution_ids}
    scores = relative_scores(singleton)
    sellers = {seller.contribution_id: seller for seller in result.sellers}

    def of_seller(seller: models.SellerResult) -> SellerEstimate:
        others = everyone - {seller.contribution_id}
        leave_one_out = estimates(others) if others and others in estimates else None
        return SellerEstimate(
            contribution_id=seller.contribution_id,
            account_id=seller.account_id,
            label=seller.label,
            verified=seller.verified,
            points=seller.points,
            singleton=singleton[seller.contribution_id],
            relative_score=scores[seller.contribution_id],
            leave_one_out=leave_one_out,
            change=None
            if leave_one_out is None or grand_coalition is None
            else leave_one_out.value - grand_coalition.value,
            scaled=None
            if scaling is None
            else scaling.scaled(singleton[seller.contribution_id].value),
            nearness=judge_seller(seller, result.sweep, push.t0),
            not_judged=seller.not_resampled,
        )

    return Estimates(
        order=result.order,
        buyer_points=result.buyer_points,
        grand_coalition=grand_coalition,
        scaled=None
        if grand_coalition is None or scaling is None
        else scaling.scaled(grand_coalition.value),
        sellers=tuple(of_seller(sellers[name]) for name in smallest_first(singleton)),
        findings=tuple(finding.detail for finding in result.findings),
        omitted=omitted,
        sampled=push.sampled,
        coverage=coverage_at(
            result, push.t0, unique_labels({name: each.label for name, each in sellers.items()})
        ),
    )


def format_interval(estimated: Estimate, *, verified: bool = True) -> str:
    """Format the certified interval of a distance for a table.

    Return "unverified" if `verified` is false, and "not known" if the distance has no interval.
    """
    if not verified:
        return UNVERIFIED
    if estimated.interval is None:
        return "not known"
    low, high = estimated.interval
    if high == math.inf:
        return f"at least {fixed(low)}"
    if high - low < NARROW:
        return f"{(high - low) / 2:.0e}"
    return f"{fixed(low)} to {fixed(high)}"


def _scaled_cells(scaled: ScaledDistance | None) -> tuple[str, ...]:
    """Format a scaled-up distance and its interval; return no cells if points are not projected."""
    if scaled is None:
        return ()
    if scaled.interval is None:
        return fixed(scaled.value), "not known"
    low, high = scaled.interval
    return fixed(scaled.value), f"[{fixed(low)}, {fixed(high)}]"

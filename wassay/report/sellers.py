"""The table of sellers, and their order by distance."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypedDict

from wassay import models
from wassay.nearness import WORDS, explain
from wassay.report.number_format import Column
from wassay.report.report import Coalition, Distance, Report
from wassay.transport import relative_scores, smallest_first
from wassay.unique_labels import EVERYONE

AnySeller = models.SellerResult | models.NoisedSeller


@dataclass(frozen=True)
class SellerRow:
    """A formatted row of the table of sellers. Unknown values are None."""

    label: str
    contribution_id: str
    """The seller's contribution; empty in the row of all sellers together."""
    points: int
    distance: str
    interval: str | None
    scaled: str | None = None
    """An estimate of the distance before points were projected at random."""
    scaled_range: str | None = None
    """The range of the estimate `scaled`."""
    mode: str = "measure"
    is_unverified: bool = False
    relative_score: str | None = None
    """A number from 0 for the farthest seller to 1 for the nearest."""
    bar: float = 0.0
    """`relative_score` as a number."""
    change: str | None = None
    """How much removing the seller changes the distance of all sellers together."""
    verdict: str | None = None
    explanation: str | None = None
    """A sentence on what `verdict` rests."""


def seller_rows(report: Report, distances: Mapping[Coalition, Distance]) -> list[SellerRow]:
    """Return a row for each seller, nearest first, and a last row for all sellers together.

    The last row is left out if there is only one seller, or if its distance is unknown.
    """
    sellers = nearest_first(report, distances)
    scores = relative_scores(
        {seller.contribution_id: _alone(seller, distances) for seller in sellers}
    )
    column = Column(
        end
        for each in distances.values()
        for end in (each.value, *(each.interval or ()), *_scaled_ends(each))
    )
    grand_coalition = distances.get(report.grand_coalition)

    def row(seller: AnySeller) -> SellerRow:
        own = _alone(seller, distances)
        others = distances.get(report.grand_coalition - {seller.contribution_id})
        line = SellerRow(
            label=report.labels[seller.contribution_id],
            contribution_id=seller.contribution_id,
            points=seller.points,
            **_formatted(own, column),
        )
        if isinstance(seller, models.NoisedSeller):
            return line
        score = scores[seller.contribution_id]
        verdict, explanation = _judged(report, seller)
        return replace(
            line,
            verdict=verdict,
            explanation=explanation,
            mode=seller.mode,
            is_unverified=not seller.verified,
            relative_score=f"{score:.2f}",
            bar=score,
            change=None
            if others is None or grand_coalition is None
            else column.signed(others.value - grand_coalition.value),
        )

    rows = [row(seller) for seller in sellers]
    if grand_coalition is not None and len(rows) > 1:
        rows.append(
            SellerRow(
                label=EVERYONE,
                contribution_id="",
                points=sum(row.points for row in rows),
                **_formatted(grand_coalition, column),
            )
        )
    return rows


def _judged(report: Report, seller: models.SellerResult) -> tuple[str | None, str | None]:
    """Return the verdict on a seller, and its explanation.

    Both are None if t0 is unknown, or if the seller's distances are unverified.
    """
    if report.private is None or not seller.verified:
        return None, None
    nearness = report.private.nearness.get(seller.contribution_id)
    if nearness is None:
        return WORDS["cannot-tell"], seller.not_resampled
    return WORDS[nearness.verdict], explain(nearness)


class _Formatted(TypedDict):
    distance: str
    interval: str | None
    scaled: str | None
    scaled_range: str | None


def _formatted(distance: Distance, column: Column) -> _Formatted:
    scaled = distance.scaled
    return _Formatted(
        distance=column(distance.value),
        interval=None if distance.interval is None else column.interval(*distance.interval),
        scaled=None if scaled is None else column(scaled.value),
        scaled_range=None
        if scaled is None or scaled.interval is None
        else column.interval(*scaled.interval),
    )


def _scaled_ends(distance: Distance) -> tuple[float, ...]:
    scaled = distance.scaled
    return () if scaled is None else (scaled.value, *(scaled.interval or ()))


def nearest_first(report: Report, distances: Mapping[Coalition, Distance]) -> list[AnySeller]:
    """Return the sellers sorted by distance; ties keep the order of the result."""
    sellers: dict[str, AnySeller] = {
        seller.contribution_id: seller for seller in report.result.sellers
    }
    singleton = {name: _alone(seller, distances) for name, seller in sellers.items()}
    return [sellers[name] for name in smallest_first(singleton)]


def sorted_by_distance(report: Report, distances: Mapping[Coalition, Distance]) -> Report:
    """Return the report with its sellers sorted by distance."""
    sellers = nearest_first(report, distances)
    return replace(report, result=report.result.model_copy(update={"sellers": sellers}))


def _alone(seller: AnySeller, distances: Mapping[Coalition, Distance]) -> Distance:
    return distances[frozenset([seller.contribution_id])]

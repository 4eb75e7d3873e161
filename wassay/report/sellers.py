"""The table of sellers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from wassay import models
from wassay.report.content import Distance, Members, Report
from wassay.report.numbers import Column
from wassay.transport import relative_scores, smallest_first


@dataclass(frozen=True)
class Row:
    """One line of the table, in words; `bar` is the length of the bar of the relative score.

    `account_id` is empty in the line of all sellers together. What is None is not known.
    """

    label: str
    account_id: str
    points: int
    distance: str
    interval: str | None
    mode: str = "measure"
    is_unverified: bool = False
    relative_score: str | None = None
    bar: float = 0.0
    change: str | None = None


def rows_of(report: Report, distances: Mapping[Members, Distance]) -> list[Row]:
    """The sellers, the nearest first, and all of them together where that is known."""
    sellers = nearest_first(report, distances)
    scores = relative_scores(
        {seller.contribution_id: _alone(seller, distances) for seller in sellers}
    )
    column = Column(
        end for each in distances.values() for end in (each.value, *(each.interval or ()))
    )
    together = distances.get(report.everyone)

    def row(seller: models.SellerResult | models.NoisedSeller) -> Row:
        own = _alone(seller, distances)
        others = distances.get(report.everyone - {seller.contribution_id})
        line = Row(
            label=seller.label,
            account_id=seller.account_id,
            points=seller.points,
            distance=column(own.value),
            interval=None if own.interval is None else column.interval(*own.interval),
        )
        if isinstance(seller, models.NoisedSeller):
            return line
        score = scores[seller.contribution_id]
        return replace(
            line,
            mode=seller.mode,
            is_unverified=not seller.verified,
            relative_score=f"{score:.2f}",
            bar=score,
            change=None
            if others is None or together is None
            else column.signed(others.value - together.value),
        )

    rows = [row(seller) for seller in sellers]
    if together is not None and len(rows) > 1:
        rows.append(
            Row(
                label="all together",
                account_id="",
                points=sum(row.points for row in rows),
                distance=column(together.value),
                interval=None if together.interval is None else column.interval(*together.interval),
            )
        )
    return rows


def nearest_first(
    report: Report, distances: Mapping[Members, Distance]
) -> list[models.SellerResult | models.NoisedSeller]:
    """The sellers by their distance; those who are not told apart in the result's order."""
    sellers: dict[str, models.SellerResult | models.NoisedSeller] = {
        seller.contribution_id: seller for seller in report.result.sellers
    }
    alone = {name: _alone(seller, distances) for name, seller in sellers.items()}
    return [sellers[name] for name in smallest_first(alone)]


def _alone(
    seller: models.SellerResult | models.NoisedSeller, distances: Mapping[Members, Distance]
) -> Distance:
    return distances[frozenset([seller.contribution_id])]

"""The table of disclosures: who saw what because of this request."""

from dataclasses import dataclass

from wassay import models
from wassay.report.report import Report

WORDS: dict[models.DisclosureKind, str] = {
    "measure": "pushed points",
    "cost-block": "costs between the points",
    "scalars": "lines of the distance curve",
    "key": "the reference\N{RIGHT SINGLE QUOTATION MARK}s key, in a sealed box",
    "recipe": "quantiles, categories and covariance, by the recipe",
    "distances": "distances",
    "resampled": "mean distances between random parts",
    "findings": "anomalies that the data are in",
    "noisiest": "which points are the noisiest",
    "ranks": "ranks of the scores of points",
    "scores": "scores of points",
    "buyer-scores": "scores of the buyer\N{RIGHT SINGLE QUOTATION MARK}s points",
    "seller-noisiest": "which points of a seller are the noisiest",
    "seller-scores": "scores of a seller\N{RIGHT SINGLE QUOTATION MARK}s points",
    "label-ranks": "ranks of the labels of points",
    "label-scores": "scores of the labels of points",
    "seller-label-noisiest": "which labels of a seller are the worst",
    "seller-label-scores": "scores of a seller\N{RIGHT SINGLE QUOTATION MARK}s labels",
}

CONCEALED: frozenset[models.DisclosureKind] = frozenset({"measure", "cost-block"})
"""Kinds whose points a secret isometry conceals."""


@dataclass(frozen=True)
class DisclosureRow:
    """One formatted ledger entry."""

    whose: str
    viewer: str
    what: str
    disclosure_class: str
    when: str


def disclosure_rows(report: Report) -> list[DisclosureRow]:
    """Return one row for each ledger entry of this request, oldest first."""
    labels = {seller.account_id: seller.label for seller in report.result.sellers}

    def name(account_id: str | None, organisation: str | None = None) -> str:
        if account_id is None:
            return "the service"
        if account_id == report.request.account_id:
            return "the buyer"
        return labels.get(account_id) or organisation or account_id

    return [
        DisclosureRow(
            whose=name(row.owner_id),
            viewer=name(row.viewer_id, row.viewer_organisation),
            what=WORDS[row.kind]
            + (" up to a secret isometry" if row.sealed and row.kind in CONCEALED else "")
            + ("" if row.epsilon is None else f" with noise, ε = {row.epsilon:g}"),
            disclosure_class=row.disclosure_class.value,
            when=f"{row.created_at:%Y-%m-%d %H:%M}",
        )
        for row in sorted(report.disclosures, key=lambda row: row.created_at)
    ]

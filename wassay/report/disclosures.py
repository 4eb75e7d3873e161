"""The tables of disclosures: what was disclosed to whom because of the request."""

from collections import defaultdict
from dataclasses import dataclass

from wassay import models
from wassay.report.number_format import whole
from wassay.report.report import Report
from wassay.report.wording.names import MOST_NAMES

DISCLOSED: dict[models.DisclosureKind, str] = {
    "measure": "pushed points",
    "cost-block": "costs between the points",
    "scalars": "lines of the distance curve",
    "key": "the reference’s key, in a sealed box",
    "recipe": "quantiles, categories, classes and covariance, by the recipe",
    "distances": "distances",
    "resampled": "mean distances between random parts",
    "coverage": "how many of the buyer’s points are covered",
    "findings": "anomalies that the data are in",
    "noisiest": "which points are the noisiest",
    "ranks": "ranks of the scores of points",
    "scores": "scores of points",
    "buyer-scores": "scores of the buyer’s points",
    "seller-noisiest": "which points of a seller are the noisiest",
    "seller-scores": "scores of a seller’s points",
    "label-ranks": "ranks of the labels of points",
    "label-scores": "scores of the labels of points",
    "seller-label-worst": "which labels of a seller are the worst",
    "seller-label-scores": "scores of a seller’s labels",
}
"""Words for what each kind of disclosure discloses."""

CONCEALED: frozenset[models.DisclosureKind] = frozenset({"measure", "cost-block"})
"""The kinds of disclosures whose points a secret isometry conceals."""


@dataclass(frozen=True)
class DisclosureGroup:
    """Ledger entries of one kind, as one row of a table."""

    what: str
    """What was disclosed, in words."""
    parties: list[str]
    """The names of the parties: all if they are few, otherwise the first few.

    Empty if the parties are many, and are all sellers of the request.
    """
    more: str | None
    """Words for the parties that `parties` leaves out, such as "and 7 more"; None if none is."""
    disclosure_class: str
    """How much the disclosure reveals by itself."""
    entries: int
    """The number of ledger entries."""
    when: str
    """The time of the first and of the last ledger entry."""


@dataclass(frozen=True)
class DisclosureGroups:
    """The two tables: disclosures of the buyer's data, and of others' data to the buyer."""

    of_the_buyer: list[DisclosureGroup]
    of_others: list[DisclosureGroup]


def disclosure_groups(report: Report) -> DisclosureGroups:
    """Group the ledger entries of a report's request, oldest first."""
    buyer = report.request.account_id
    own = [row for row in report.disclosures if row.owner_id == buyer]
    others = [row for row in report.disclosures if row.owner_id != buyer]
    return DisclosureGroups(_grouped(report, own, buyer), _grouped(report, others, buyer))


def _grouped(report: Report, rows: list[models.Disclosure], buyer: str) -> list[DisclosureGroup]:
    groups: defaultdict[tuple[str, str], list[models.Disclosure]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.created_at):
        groups[_what(row), row.disclosure_class.value].append(row)
    sellers = [seller.account_id for seller in report.result.sellers]
    labels = {seller.account_id: seller.label for seller in report.result.sellers}

    def name(row: models.Disclosure) -> tuple[str, str]:
        if row.owner_id != buyer:
            return row.owner_id, labels.get(row.owner_id, row.owner_id)
        if row.viewer_id is None:
            return "", "the service"
        known = labels.get(row.viewer_id) or row.viewer_organisation or row.viewer_id
        return row.viewer_id, known

    def group(what: str, disclosed: str, alike: list[models.Disclosure]) -> DisclosureGroup:
        parties = dict(name(row) for row in alike)
        is_everybody = len(sellers) > MOST_NAMES and set(sellers) == parties.keys()
        shown = list(parties.values())
        more = None
        if is_everybody:
            shown, more = [], f"all {whole(len(sellers))} sellers"
        elif len(shown) > MOST_NAMES:
            more = f"and {whole(len(shown) - MOST_NAMES + 1)} more"
            shown = shown[: MOST_NAMES - 1]
        return DisclosureGroup(what, shown, more, disclosed, len(alike), _when(alike))

    return [group(what, disclosed, alike) for (what, disclosed), alike in groups.items()]


def _what(row: models.Disclosure) -> str:
    sealed = " up to a secret isometry" if row.sealed and row.kind in CONCEALED else ""
    noise = "" if row.epsilon is None else f" with noise, ε = {row.epsilon:g}"
    return f"{DISCLOSED[row.kind]}{sealed}{noise}"


def _when(alike: list[models.Disclosure]) -> str:
    first, last = (f"{row.created_at:%Y-%m-%d %H:%M}" for row in (alike[0], alike[-1]))
    if first == last:
        return first
    return f"{first} to {last[11:] if first[:10] == last[:10] else last}"

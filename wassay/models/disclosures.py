"""Disclosures: the rows of the ledger, and what they disclose in combination."""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from wassay.disclosure_class import DisclosureClass
from wassay.models.base import Listed, Model

DisclosureKind = Literal[
    "measure",
    "cost-block",
    "scalars",
    "key",
    "recipe",
    "distances",
    "resampled",
    "coverage",
    "findings",
    "noisiest",
    "ranks",
    "scores",
    "buyer-scores",
    "seller-noisiest",
    "seller-scores",
    "label-ranks",
    "label-scores",
    "seller-label-noisiest",
    "seller-label-scores",
]


class Disclosure(Listed):
    """One row of an account's ledger: a disclosure of the account's data to a viewer.

    `viewer_id` is empty if the viewer is the service itself. `dataset` is a listing, or the owner's
    account for data without one. `sweep` has the s of the disclosed data; it is empty for a measure
    at the buyer's private t0. `sealed` data were moved by an isometry that only the request's
    parties know. `rank` is the number of coordinates of the points that a cost block, or a random
    projection, determines; for distances, it is the number of directions along which they read the
    points. `coalitions` is the number of coalitions with these data whose distances, or coverage,
    were disclosed. The kind `resampled` is mean distances between random parts of the data;
    `coverage` is how many of the buyer's points three points or more of the data are near;
    `findings` is anomalies of the owner's data; `recipe` is quantiles, categories, names of classes
    and the covariance of the owner's rows, which a recipe tells whoever has the reference's key.
    The kinds `noisiest`, `ranks` and `scores` concern the owner's points; `buyer-scores`,
    `seller-noisiest` and `seller-scores` concern the viewer's own points, as the buyer or a seller,
    and depend on all records of an evaluation. `label-ranks` and `label-scores` concern the labels
    of the owner's points, judged by the buyer's; `seller-label-noisiest` and `seller-label-scores`
    those of the viewer's own points, as a seller. `epsilon` is the ε that a result with noise
    spends. `digest` is that of the disclosed bytes; of a recipe, that of its public part; for what
    an evaluation discloses, that of the question (the request, the contributions and their
    weighting; with noise, the evaluation).

    Each row contains the hash of the one before. Only the owner of the ledger, who sees all rows,
    reads `position`, `previous_hash` and `hash`: a viewer could try positions until one has the
    hash, and so learn how many rows the ledger has.
    """

    # Keeps the fields of a newer service, since the hash covers them too.
    model_config = ConfigDict(frozen=True, extra="allow")

    id: str
    owner_id: str
    position: int | None
    created_at: datetime
    dataset: str
    viewer_id: str | None
    viewer_organisation: str | None
    request_id: str
    kind: DisclosureKind
    reference_id: str
    sealed: bool
    sweep: list[float]
    points: int
    dimension: int
    rank: int | None
    coalitions: int | None
    epsilon: float | None
    digest: str | None
    disclosure_class: DisclosureClass
    previous_hash: str | None
    hash: str | None


class CombinedDisclosure(Model):
    """The combined disclosures of a dataset to one organisation, or to the service.

    `rank` belongs to the class `projection`. `epsilon` is the sum over results with noise; it is
    empty if there were results without noise, which have no bound.
    """

    dataset: str
    viewer_organisation: str | None = Field(description="Empty: the service itself.")
    disclosure_class: DisclosureClass
    rank: int | None
    questions: int = Field(
        description="Distances disclosed: one for each s of every coalition with these data."
    )
    epsilon: float | None
    disclosures: int
    first_at: datetime
    last_at: datetime


class CombinedDisclosures(Model):
    """The combined disclosures of all viewers of an account's datasets."""

    items: list[CombinedDisclosure]

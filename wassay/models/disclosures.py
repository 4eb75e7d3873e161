"""Disclosures: the rows of the ledger, and what they add up to."""

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from wassay.disclosure_class import DisclosureClass
from wassay.models.base import Model

DisclosureKind = Literal[
    "measure",
    "cost-block",
    "scalars",
    "key",
    "distances",
    "noisiest",
    "ranks",
    "scores",
    "buyer-scores",
    "seller-noisiest",
    "seller-scores",
]


class Disclosure(Model):
    """One row of an account's ledger: who has come to see what of the account's data.

    `viewer_id` is empty where the service itself sees it. `dataset` is a listing, or the account
    whose data it is where no listing describes them. `sweep` holds the s of what is seen; it is
    empty for a measure at the buyer's private t0. `sealed` says that it was moved by an isometry
    that only the request's parties know. `rank` is how many coordinates of the points a cost block
    can tell. `coalitions` is, of distances, of how many coalitions of sellers that these data are
    in: each asks something else of them. The kinds `noisiest`, `ranks` and `scores` are of the
    owner's points; `buyer-scores`, `seller-noisiest` and `seller-scores` are of the viewer's own
    points, as the buyer or a seller, and depend on all records of an evaluation. `epsilon` is what
    an answer with noise costs. `digest` names the bytes that are seen; of an answer, what was asked
    (the request, the contributions and their weighting) or, with noise, the result.

    Each row carries the hash of the one before: `previous_hash` and `position` are shown to the
    owner of the ledger only, who sees all of it.
    """

    # Fields of a newer service are kept: the hash is over them too.
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
    hash: str


class CombinedDisclosure(Model):
    """What one organisation, or the service itself, can compute from all it has seen of a dataset.

    `rank` belongs to the class `projection`. `epsilon` is the sum over answers with noise; it is
    empty when there were others, which have no bound.
    """

    dataset: str
    viewer_organisation: str | None = Field(description="Empty: the service itself.")
    disclosure_class: DisclosureClass
    rank: int | None
    questions: int = Field(
        description="How many were answered: each s of every coalition of sellers with these data."
    )
    epsilon: float | None
    disclosures: int
    first_at: datetime
    last_at: datetime


class CombinedDisclosures(Model):
    """Everybody who has seen something of an account's datasets."""

    items: list[CombinedDisclosure]

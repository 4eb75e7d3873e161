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

    `viewer_id` is null if the viewer is the service itself. `dataset` is the id of a listing; for
    data without a listing, the id of the owner's account. `sweep` has the s at which the disclosed
    data were pushed; it is empty for a measure at the buyer's private t0. `sealed` is true if the
    viewer saw the data moved by an isometry that only the request's parties know. `epsilon` is the
    ε that a result with noise spent.

    For a cost block or a random projection, `rank` is the number of coordinates of each point that
    can be computed. For distances, it is the number of directions along which the points' sorted
    values can be computed. `coalitions` is the number of coalitions with these data whose distances
    or coverage were disclosed.

    These kinds need an explanation:

    - `resampled`: mean distances between random parts of the data.
    - `coverage`: the share of the buyer's points that lie near points of the data.
    - `findings`: anomalies of the data.
    - `recipe`: quantiles, categories, names of classes and the covariance of the owner's rows. All
      who have the reference's key can read these from the recipe.
    - `noisiest`, `ranks`, `scores`: scores of the owner's points, in full or in part.
    - `buyer-scores`, `seller-noisiest`, `seller-scores`: scores of the viewer's own points, which
      depend on the owner's records.
    - `label-ranks`, `label-scores`: scores of the labels of the owner's points.
    - `seller-label-noisiest`, `seller-label-scores`: scores of a seller's own labels, which depend
      on the labels of the owner, the buyer.

    `digest` identifies what was disclosed. For uploaded data, it is the SHA-256 of the bytes. For a
    recipe, it is the SHA-256 of the public part. For a result without noise, it is the digest of
    the request, the contributions and the weighting of sellers. For a result with noise, it is the
    digest of the evaluation.

    Each row contains the hash of the previous row. Only the owner of the ledger can read
    `position`, `previous_hash` and `hash`: they reveal how many rows the ledger has.
    """

    # Keep the fields that a newer service adds, because the hash covers them too.
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


class CombinedDisclosure(Listed):
    """All that a dataset has disclosed to one viewer, as a disclosure class.

    The viewer is an organisation or the service. `rank` is null unless `disclosure_class` is
    `projection`. It counts the coordinates of each point that the viewer can compute, and the
    directions along which the viewer can compute the points' sorted values. `epsilon` is the sum of
    the ε of all results. It is null if any result had no noise.
    """

    dataset: str
    viewer_organisation: str | None = Field(description="Null for the service itself.")
    disclosure_class: DisclosureClass
    rank: int | None
    questions: int = Field(
        description="The number of questions that were answered: one for each s of every coalition "
        "with these data, and one for each s at which only scores were read. Distances between "
        "random parts are counted apart, one for each s."
    )
    epsilon: float | None
    disclosures: int
    first_at: datetime
    last_at: datetime


class CombinedDisclosures(Model):
    """The combined disclosures of all of an account's datasets to every viewer."""

    items: list[CombinedDisclosure]

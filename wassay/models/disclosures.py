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
    "seller-label-worst",
    "seller-label-scores",
]


class Disclosure(Listed):
    """One row of an account's ledger: a disclosure of the account's data to a viewer.

    Each row contains the hash of the previous row. These kinds need an explanation:

    - `resampled`: mean distances between random parts of the data.
    - `coverage`: the share of the buyer's points that lie near points of the data.
    - `findings`: anomalies of the data.
    - `recipe`: quantiles, categories, names of classes and the covariance of the owner's rows.
    - `noisiest`, `ranks`, `scores`: scores of the owner's points, in full or in part.
    - `buyer-scores`, `seller-noisiest`, `seller-scores`: scores of the viewer's own points, which
      depend on the owner's records.
    - `label-ranks`, `label-scores`: scores of the labels of the owner's points.
    - `seller-label-worst`, `seller-label-scores`: scores of the viewer's own labels, which depend
      on the owner's labels.
    """

    # Keep the fields that a newer service adds, because the hash covers them too.
    model_config = ConfigDict(frozen=True, extra="allow")

    id: str
    owner_id: str = Field(description="The account whose data are disclosed.")
    position: int | None = Field(
        description="The number of the row in the ledger, from 1. Null for the viewer."
    )
    created_at: datetime
    dataset: str = Field(
        description="The listing of the data or, for data without a listing, the owner's account."
    )
    viewer_id: str | None = Field(
        description="The account that may read the data. Null for the service itself."
    )
    viewer_organisation: str | None = Field(
        description="The viewer's organisation at the time. Null for the service itself."
    )
    request_id: str
    kind: DisclosureKind = Field(description="What is disclosed.")
    reference_id: str
    sealed: bool = Field(
        description="Whether the viewer sees the data moved by an isometry that only the request's "
        "parties know."
    )
    sweep: list[float] = Field(
        description="The values of s at which the data were pushed. Empty for the buyer's private "
        "t0, and for kinds that belong to no s. For ranks and names of points, the middle "
        "value of the request's sweep instead of their own s, which is secret."
    )
    points: int = Field(description="The number of points of the data. 0 for a key.")
    dimension: int = Field(
        description="The number of coordinates of each raw point; one more if the class is "
        "disclosed with it."
    )
    rank: int | None = Field(
        description="For a cost block or a random projection, the number of coordinates of each "
        "point that can be computed. For distances, the number of directions along which the "
        "points' sorted values can be computed. Otherwise null."
    )
    coalitions: int | None = Field(
        description="The number of coalitions with these data whose distances or coverage are "
        "disclosed. Null for other kinds."
    )
    epsilon: float | None = Field(
        description="The ε that a result with noise spends. Null without noise."
    )
    digest: str | None = Field(
        description="What identifies the disclosed data. For an upload, the SHA-256 of its bytes; "
        "for a key, the reference's commitment; for a recipe, the SHA-256 of its public part; for "
        "a result, a digest of its inputs or, with noise, of the evaluation."
    )
    disclosure_class: DisclosureClass = Field(
        description="The most that the viewer can learn about the records from this row alone."
    )
    previous_hash: str | None = Field(
        description="The hash of the previous row; zeros for the first. Null for the viewer."
    )
    hash: str | None = Field(
        description="The SHA-256 of the row's other fields as canonical JSON. Null for the viewer."
    )


class CombinedDisclosure(Listed):
    """All that a dataset has disclosed to one viewer: an organisation or the service."""

    dataset: str = Field(
        description="The listing of the dataset or, without a listing, the owner's account."
    )
    viewer_organisation: str | None = Field(description="Null for the service itself.")
    disclosure_class: DisclosureClass = Field(
        description="The most that the viewer can learn about the records from all disclosures."
    )
    rank: int | None = Field(
        description="The number of coordinates of each point that the viewer can compute, plus the "
        "number of directions along which the viewer can compute the points' sorted values. Null "
        "unless `disclosure_class` is `projection`."
    )
    questions: int = Field(
        description="The number of questions that were answered: one for each s of every coalition "
        "with these data, and one for each s at which only scores were read. Distances between "
        "random parts are counted apart, one for each s."
    )
    epsilon: float | None = Field(
        description="The sum of the ε of all results. Null if any result had no noise."
    )
    disclosures: int = Field(description="The number of rows of the ledger.")
    first_at: datetime = Field(description="When the first row was appended.")
    last_at: datetime = Field(description="When the last row was appended.")


class CombinedDisclosures(Model):
    """The combined disclosures of all of an account's datasets to every viewer."""

    items: list[CombinedDisclosure] = Field(
        description="One for each pair of a dataset and a viewer, the most revealing first."
    )

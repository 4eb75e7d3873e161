"""Tables of requests, their measures, their invitations and the sellers who may read them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from wassay.modes import scores_labels

from ..accounts.models import Account
from ..arrays.columns import StoredArrayColumns
from ..database import Base, Timestamped
from ..http.ids import new_id
from ..references.models import Reference


class BuyerMeasure(StoredArrayColumns, Base):
    """The buyer's measure η_μ(t0), and its `app.requests.fingerprint.Fingerprint`."""

    __tablename__ = "buyer_measures"

    request_id: Mapped[str] = mapped_column(ForeignKey("requests.id"), primary_key=True)
    effective_support: Mapped[int]
    uniform: Mapped[bool]
    radii: Mapped[list[float]]


class Request(Timestamped, Base):
    """A buyer's request for contributions: its terms and its state.

    `ended_at` is when the request was closed or cancelled.
    """

    __tablename__ = "requests"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("req"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    reference_id: Mapped[str] = mapped_column(ForeignKey("references.id"))
    state: Mapped[str] = mapped_column(default="draft")
    title: Mapped[str]
    description: Mapped[str]
    order: Mapped[int]
    sweep: Mapped[list[float]]
    modes: Mapped[list[str]]
    audience: Mapped[str]
    reveals_measure: Mapped[bool]
    reveals_scores: Mapped[bool]
    interpolation: Mapped[str]
    labelled: Mapped[bool]
    class_names: Mapped[list[str] | None]
    recipe: Mapped[dict[str, Any] | None]
    searched_fields: Mapped[str]
    words: Mapped[str]
    epsilon: Mapped[float | None]
    radius: Mapped[float | None]
    expires_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    account: Mapped[Account] = relationship(lazy="joined")
    reference: Mapped[Reference] = relationship(lazy="joined")
    measure: Mapped[BuyerMeasure | None] = relationship(lazy="joined")

    @property
    def scores_labels(self) -> bool:
        """Whether sellers upload the class of each point, and the service scores labels."""
        return self.labelled and scores_labels(self.modes)


class Invitation(Timestamped, Base):
    """An invitation of a seller to a request.

    `sealed_key` is the key of the request's sealed reference, encrypted to the seller; null until
    the buyer uploads it.
    """

    __tablename__ = "invitations"
    __table_args__ = (UniqueConstraint("request_id", "account_id"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("inv"))
    request_id: Mapped[str] = mapped_column(ForeignKey("requests.id"), index=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    sealed_key: Mapped[str | None]


class RequestReader(Timestamped, Base):
    """A seller who has contributed to a request, and therefore may always read it.

    `reads_measure` is true as long as the seller's contribution needs the buyer's measure.
    """

    __tablename__ = "request_readers"

    request_id: Mapped[str] = mapped_column(ForeignKey("requests.id"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    reads_measure: Mapped[bool]

"""Tables of contributions and of their arrays."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from wassay.modes import MODES, ModeTerms

from ..accounts.models import Account
from ..arrays.columns import StoredArrayColumns
from ..database import Base, Timestamped
from ..http.ids import new_id
from ..listings.models import Listing
from ..requests.models import Request


class ContributionArray(StoredArrayColumns, Base):
    """The measure or cost block of a contribution at one s.

    `weights_digest` identifies the weights of the rows; the weights must be equal at every s.
    `effective_rows` is the effective number of rows, 1/Σp², where p are the weights.
    """

    __tablename__ = "contribution_arrays"
    __table_args__ = (UniqueConstraint("contribution_id", "s"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("arr"))
    contribution_id: Mapped[str] = mapped_column(ForeignKey("contributions.id"), index=True)
    s: Mapped[float]
    weights_digest: Mapped[str]
    effective_rows: Mapped[int]


class Contribution(Timestamped, Base):
    """A seller's contribution to a request.

    To one request, an account may have any number of withdrawn contributions, and at most one
    that is not withdrawn.

    `used_at` is when an evaluation first used the contribution; null again once all evaluations
    with it have failed or were cancelled. While `used_at` is set, the contribution cannot be
    withdrawn from an open request. `buyer_places`, set on submission, is the number of distinct
    places in the buyer's measure (see `distinct_places.buyer_places`). `scalars` holds the uploaded
    `wassay.models.Scalars` of the mode `scalar`.
    """

    __tablename__ = "contributions"
    __table_args__ = (
        Index(
            "uq_contributions_live",
            "request_id",
            "account_id",
            unique=True,
            sqlite_where=text("state != 'withdrawn'"),
            postgresql_where=text("state != 'withdrawn'"),
        ),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("con"))
    request_id: Mapped[str] = mapped_column(ForeignKey("requests.id"), index=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    listing_id: Mapped[str | None] = mapped_column(ForeignKey("listings.id"))
    state: Mapped[str] = mapped_column(default="draft")
    mode: Mapped[str]
    label: Mapped[str]
    score_policy: Mapped[str]
    compared: Mapped[bool]
    sampled_from: Mapped[int | None] = mapped_column(BigInteger)
    buyer_places: Mapped[int | None]
    projection_spread: Mapped[float | None]
    decline_reason: Mapped[str | None]
    used_at: Mapped[datetime | None]
    scalars: Mapped[dict[str, Any] | None]

    account: Mapped[Account] = relationship(lazy="joined")
    listing: Mapped[Listing | None] = relationship(lazy="joined")
    request: Mapped[Request] = relationship(lazy="joined")
    arrays: Mapped[list[ContributionArray]] = relationship(
        lazy="selectin", order_by=ContributionArray.s
    )

    @property
    def terms(self) -> ModeTerms:
        """The terms of the contribution's mode, such as whether sellers send points."""
        return MODES[self.mode]

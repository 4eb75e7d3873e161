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
    """The measure or cost block of a contribution at one s."""

    __tablename__ = "contribution_arrays"
    __table_args__ = (UniqueConstraint("contribution_id", "s"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("arr"))
    contribution_id: Mapped[str] = mapped_column(ForeignKey("contributions.id"), index=True)
    s: Mapped[float]
    # Arrays with equal digests have equal weights.
    weights_digest: Mapped[str]
    # 1/Σp², where p are the weights.
    effective_rows: Mapped[int]


class Contribution(Timestamped, Base):
    """A seller's contribution to a request.

    In the mode `scalar`, `scalars` holds a `wassay.models.Scalars`.
    """

    __tablename__ = "contributions"
    # To one request, an account has at most one contribution that is not withdrawn.
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
    allows_comparison: Mapped[bool]
    sampled_from: Mapped[int | None] = mapped_column(BigInteger)
    # The result of `distinct_places.buyer_places` on submission.
    buyer_places: Mapped[int | None]
    projection_spread: Mapped[float | None]
    decline_reason: Mapped[str | None]
    # When an evaluation first used the contribution; null again once all such evaluations have
    # failed or were cancelled.
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

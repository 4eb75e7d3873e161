"""Tables of listings, and of the fields by which listings are searched."""

from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from ..accounts.models import Account
from ..database import Base, Timestamped
from ..http.ids import new_id


class Listing(Timestamped, Base):
    """A seller's description of a dataset."""

    __tablename__ = "listings"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("lst"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    state: Mapped[str] = mapped_column(default="published")
    title: Mapped[str]
    description: Mapped[str]
    dimension: Mapped[int]
    points: Mapped[int]
    fields: Mapped[list[dict[str, Any]]]
    classes: Mapped[list[str] | None]
    licence: Mapped[str | None]
    licence_key: Mapped[str | None]
    terms: Mapped[str | None]
    caps: Mapped[dict[str, Any] | None]
    words: Mapped[str]

    account: Mapped[Account] = relationship(lazy="joined")
    searched_fields: Mapped[list["SearchedField"]] = relationship(
        cascade="all, delete-orphan", order_by="SearchedField.position"
    )


class SearchedField(Base):
    """A field of a listing, normalised for searches; `Listing.fields` has the original."""

    __tablename__ = "searched_fields"

    listing_id: Mapped[str] = mapped_column(ForeignKey("listings.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    name_key: Mapped[str] = mapped_column(index=True)
    type: Mapped[str]
    unit: Mapped[str | None]
    embedding_key: Mapped[str | None]

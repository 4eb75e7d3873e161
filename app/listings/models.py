"""Table of listings."""

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
    feature_names: Mapped[list[str] | None]
    embedding: Mapped[str | None]
    classes: Mapped[list[str] | None]
    licence: Mapped[str | None]
    terms: Mapped[str | None]
    caps: Mapped[dict[str, Any] | None]

    account: Mapped[Account] = relationship(lazy="joined")

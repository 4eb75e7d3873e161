"""The table of disclosures. `app.append_only` forbids changes to its rows."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base
from ..http.ids import new_id


class Disclosure(Base):
    """A row of an account's ledger, with the fields of `wassay.models.Disclosure`."""

    __tablename__ = "disclosures"
    __table_args__ = (
        UniqueConstraint("owner_id", "position"),
        Index("ix_disclosures_owner_id_request_id", "owner_id", "request_id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("dsc"))
    owner_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    position: Mapped[int]
    created_at: Mapped[datetime]
    dataset: Mapped[str]
    viewer_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    viewer_organisation: Mapped[str | None]
    request_id: Mapped[str] = mapped_column(ForeignKey("requests.id"))
    kind: Mapped[str]
    reference_id: Mapped[str] = mapped_column(ForeignKey("references.id"))
    sealed: Mapped[bool]
    sweep: Mapped[list[float]]
    points: Mapped[int]
    dimension: Mapped[int]
    rank: Mapped[int | None]
    coalitions: Mapped[int | None]
    epsilon: Mapped[float | None]
    digest: Mapped[str | None]
    disclosure_class: Mapped[str]
    previous_hash: Mapped[str]
    hash: Mapped[str]

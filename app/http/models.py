"""Tables that every resource shares."""

from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from .ids import new_id


class IdempotentCall(Timestamped, Base):
    """The first POST with an `Idempotency-Key`, and its response.

    `headers` and `body` are null if the response contained a secret.
    """

    __tablename__ = "idempotent_calls"
    __table_args__ = (
        UniqueConstraint("account_id", "method", "route", "key"),
        Index("ix_idempotent_calls_created_at", "created_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("idm"))
    account_id: Mapped[str]
    method: Mapped[str]
    route: Mapped[str]
    key: Mapped[str]
    fingerprint: Mapped[str]
    status: Mapped[int | None]
    headers: Mapped[dict[str, Any] | None]
    body: Mapped[dict[str, Any] | None]

"""Tables of accounts, API keys, encryption keys and administrators' actions."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, relationship, validates

from wassay.organisations import organisation_key

from ..database import Base, Timestamped, clock_timestamp
from ..http.ids import new_id
from .confusable_names import skeleton


class Account(Timestamped, Base):
    """A person or program that acts for an organisation.

    While `disabled_at` is set, the account's calls are refused.
    """

    __tablename__ = "accounts"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("acc"))
    organisation: Mapped[str]
    # Equal for the accounts of one organisation.
    organisation_key: Mapped[str] = mapped_column(index=True)
    # Equal for names of organisations that look alike.
    organisation_skeleton: Mapped[str] = mapped_column(index=True)
    name: Mapped[str]
    # The caps of datasets that have none of their own.
    caps: Mapped[dict[str, Any] | None]
    closed_at: Mapped[datetime | None]
    disabled_at: Mapped[datetime | None]

    @validates("organisation")
    def _set_key(self, _: str, name: str) -> str:
        self.organisation_key = organisation_key(name)
        self.organisation_skeleton = skeleton(name)
        return name


class ApiKey(Timestamped, Base):
    """An API key. Its hash and prefix are stored, but never the key."""

    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("key"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    label: Mapped[str | None]
    prefix: Mapped[str]
    hash: Mapped[str] = mapped_column(unique=True)
    scopes: Mapped[list[str]]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]

    account: Mapped[Account] = relationship(lazy="joined")

    def is_live(self, at: datetime) -> bool:
        """Return whether the key is valid at this time."""
        return self.revoked_at is None and (self.expires_at is None or at < self.expires_at)


class EncryptionKey(Timestamped, Base):
    """An account's X25519 public key in base64; the private key never reaches the service."""

    __tablename__ = "encryption_keys"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    public_key: Mapped[str]


class AdminAction(Base):
    """One action of an administrator, or of a command that the operator ran.

    The columns are the fields of `wassay.models.AdminAction`.
    """

    __tablename__ = "admin_actions"
    __table_args__ = (Index("ix_admin_actions_created_at", "created_at", "id"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("act"))
    created_at: Mapped[datetime] = mapped_column(default=clock_timestamp())
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    key_id: Mapped[str | None]
    action: Mapped[str]
    object_id: Mapped[str | None] = mapped_column(index=True)
    request_id: Mapped[str | None]

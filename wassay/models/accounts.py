"""Accounts and their API keys."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Model

Scope = Literal["buyer", "seller", "admin"]


class Account(Model):
    """Somebody who acts: a buyer, a seller or an operator, within one organisation."""

    id: str
    organisation: str
    name: str
    created_at: datetime


class EncryptionKey(Model):
    """An account's X25519 public key, in base64, to seal things to it that only it can open.

    `fingerprint` is what people compare over another channel: the service could show a wrong key.
    """

    account_id: str
    public_key: str
    fingerprint: str
    created_at: datetime
    updated_at: datetime


class ApiKey(Model):
    """What the service keeps of a key: never the key itself."""

    id: str
    account_id: str
    label: str | None
    prefix: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class NewApiKey(ApiKey):
    """The only answer that ever shows the key; its representation does not."""

    key: str = Field(repr=False)

"""Accounts, their encryption keys and their API keys."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model

Scope = Literal["buyer", "seller", "admin"]


class Account(Listed):
    """An account of an organisation: a buyer, a seller or an operator."""

    id: str
    organisation: str
    name: str
    created_at: datetime
    closed_at: datetime | None = None
    disabled_at: datetime | None = None


class EncryptionKey(Model):
    """An account's X25519 public key in base64, with which others seal secrets to the account.

    The service could show a wrong key, so compare the `fingerprint` with the account's owner over
    another channel.
    """

    account_id: str
    public_key: str
    fingerprint: str
    created_at: datetime
    updated_at: datetime


class ApiKey(Listed):
    """An API key as the service stores it, without its secret.

    `prefix` is the part after `wsy_` by which people recognise the key in lists.
    """

    id: str
    account_id: str
    label: str | None
    prefix: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class NewApiKey(ApiKey):
    """A new API key with its secret, which no other response contains and `repr` hides."""

    key: str = Field(repr=False)

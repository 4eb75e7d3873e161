"""Accounts, their encryption keys and their API keys."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model
from wassay.models.descriptions import ORGANISATION

Scope = Literal["buyer", "seller", "admin"]


class Account(Listed):
    """An account of an organisation: a buyer, a seller or an operator."""

    id: str
    organisation: str = Field(description=ORGANISATION)
    name: str = Field(description="The person or program that uses the account.")
    created_at: datetime
    closed_at: datetime | None = Field(
        default=None, description="When the account was closed. Null: it was not."
    )
    disabled_at: datetime | None = Field(
        default=None,
        description="Since when the service refuses the account's calls. Null: it does not.",
    )


class EncryptionKey(Model):
    """An account's public key, with which others seal secrets to the account."""

    account_id: str
    public_key: str = Field(description="The X25519 public key: 32 bytes in base64.")
    fingerprint: str = Field(
        description="A hash of the key, in hexadecimal digits. The service could show a wrong key, "
        "so compare the fingerprint with the account's owner over another channel."
    )
    created_at: datetime
    updated_at: datetime


class ApiKey(Listed):
    """An API key as the service stores it, without its secret."""

    id: str
    account_id: str
    label: str | None = Field(description="What the key is for, in its owner's words.")
    prefix: str = Field(
        description="The part after `wsy_`, by which people recognise the key in lists."
    )
    scopes: list[Scope] = Field(description="The roles in which the key may be used.")
    created_at: datetime
    expires_at: datetime | None = Field(description="When the key expires. Null: never.")
    last_used_at: datetime | None = Field(
        description="When the key was last used, to within about a minute. Null: never."
    )


class NewApiKey(ApiKey):
    """A new API key with its secret, which no other response contains and `repr` hides."""

    key: str = Field(repr=False, description="The secret. The service stores only its hash.")

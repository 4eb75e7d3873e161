"""Request models of accounts and keys."""

import base64
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints

from wassay.models import Account, ApiKey, EncryptionKey, Scope
from wassay.readable_text import Line

from ..http.request_models import RequestModel, meaning


def _in_the_future(value: AwareDatetime) -> AwareDatetime:
    if value <= datetime.now(UTC):
        raise ValueError("expected a time in the future")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("expected a time before the year 10000 in UTC") from None


FutureTime = Annotated[AwareDatetime, AfterValidator(_in_the_future)]


class NewAccount(RequestModel):
    """An account to create."""

    example: ClassVar[dict[str, Any]] = {"organisation": "Acme", "name": "Ada"}

    organisation: Line = Field(description=meaning(Account, "organisation"))
    name: Line = Field(description=meaning(Account, "name"))


class KeyToIssue(RequestModel):
    """An API key to issue."""

    example: ClassVar[dict[str, Any]] = {"label": "notebook", "scopes": ["buyer"]}

    label: Line | None = Field(default=None, description=meaning(ApiKey, "label"))
    scopes: Annotated[
        list[Scope], Field(min_length=1, max_length=3, description=meaning(ApiKey, "scopes"))
    ]
    expires_at: FutureTime | None = Field(default=None, description=meaning(ApiKey, "expires_at"))


EXAMPLE_KEY = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="


def _canonical(key: str) -> str:
    return base64.b64encode(base64.b64decode(key)).decode()


class NewEncryptionKey(RequestModel):
    """A public key to publish."""

    example: ClassVar[dict[str, Any]] = {"public_key": EXAMPLE_KEY}

    public_key: Annotated[
        str, StringConstraints(pattern=r"^[A-Za-z0-9+/]{43}=$"), AfterValidator(_canonical)
    ] = Field(description=meaning(EncryptionKey, "public_key"))

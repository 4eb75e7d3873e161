"""What clients send about accounts and keys."""

from datetime import UTC
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, Field

from app.database import now
from app.kit.bodies import Body
from app.kit.strings import Line
from wassay.models import Scope


def _in_the_future(value: AwareDatetime) -> AwareDatetime:
    if value <= now():
        raise ValueError("expected a time in the future")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("expected a time before the year 10000 in UTC") from None


FutureTime = Annotated[AwareDatetime, AfterValidator(_in_the_future)]


class NewAccount(Body):
    """An account to make."""

    organisation: Line
    name: Line


class KeyToIssue(Body):
    """An API key to issue."""

    label: Line | None = None
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=3)]
    expires_at: FutureTime | None = None

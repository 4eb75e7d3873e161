"""Search requests by text, and by the fields that their recipes read."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Query
from sqlalchemy import Select

from wassay import models as wire
from wassay.organisations import organisation_key
from wassay.readable_text import Line

from .models import Request

MOST_FIELDS = 200
"""The most names of fields in one search, because proxies refuse longer URLs."""


class RequestSearch(NamedTuple):
    """The conditions that requests must meet; a condition that is None or empty is ignored.

    Attributes
    ----------
    text
        Words, each of which occurs in the request's texts or in the name of the organisation.
    fields
        Names of fields. The request's recipe reads each of them, with the given type and unit.
    type, unit
        The type and the unit of each field in `fields`. If `fields` is empty, at least one field of
        the recipe has them.
    """

    text: str | None
    fields: Sequence[str]
    type: wire.FieldType | None
    unit: str | None


async def _request_search(
    text: Annotated[
        Line | None,
        Query(
            description="Words, or parts of words. Each must be in the title, the description, "
            "the recipe's fields or the organisation's name."
        ),
    ] = None,
    field: Annotated[
        list[Line] | None,
        Query(
            max_length=MOST_FIELDS,
            description="Only requests whose recipe reads a field of this name. Repeat the "
            "parameter for requests that read several fields.",
        ),
    ] = None,
    type: Annotated[  # noqa: A002 - the name of the parameter in the API
        wire.FieldType | None,
        Query(
            description="The type of a field that the recipe reads; of each `field`, if any is "
            "given."
        ),
    ] = None,
    unit: Annotated[
        Line | None,
        Query(
            description="The unit of a field that the recipe reads; of each `field`, if any is "
            "given."
        ),
    ] = None,
) -> RequestSearch:
    return RequestSearch(text, tuple(field or ()), type, unit)


RequestSearchDependency = Annotated[RequestSearch, Depends(_request_search)]


def index(request: Request) -> None:
    """Index a new or edited request, so that searches find it."""
    fields = [] if request.recipe is None else request.recipe["fields"]
    fields = [field for field in fields if field["role"] != "ignored"]
    request.words = organisation_key(" ".join(_texts(request, fields)))
    lines = {
        _line(*known)
        for field in fields
        # A search may name any of the three, so index every combination of them.
        for known in product(*((None, field[part]) for part in ("name", "type", "unit")))
    }
    request.searched_fields = "\n".join(["", *sorted(lines), ""])


def searched(requests: Select[Request], search: RequestSearch) -> Select[Request]:
    """Restrict a statement to the requests that meet the conditions of a search."""
    for word in organisation_key(search.text or "").split():
        requests = requests.where(Request.words.contains(word, autoescape=True))
    names: Sequence[str | None] = search.fields or [None]
    for name in names:
        line = f"\n{_line(name, search.type, search.unit)}\n"
        if any((name, search.type, search.unit)):
            requests = requests.where(Request.searched_fields.contains(line, autoescape=True))
    return requests


def _line(name: str | None, type_: str | None, unit: str | None) -> str:
    """Return the line by which a field with these values is found in `Request.searched_fields`.

    A search that does not name a value passes None for it.
    """
    # Normalised names contain no tabs. Units are in hexadecimal digits, because mW and MW must
    # differ even where LIKE ignores case (SQLite).
    return "\t".join((organisation_key(name or ""), type_ or "", (unit or "").encode().hex()))


def _texts(request: Request, fields: list[dict[str, Any]]) -> Iterator[str]:
    yield from (request.title, request.description, request.account.organisation)
    for field in fields:
        yield from filter(None, (field[part] for part in ("name", "title", "description", "unit")))
        yield from filter(None, [(field["kind"] or {}).get("model")])

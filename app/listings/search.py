"""Search listings by text, fields, licence and size; tell which needed fields a listing lacks."""

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from fastapi import Depends, Query
from sqlalchemy import ColumnElement, Select, exists

from wassay import models as wire
from wassay.organisations import organisation_key
from wassay.readable_text import Line

from .models import Listing, SearchedField

MOST_COVERED = 200
"""The most names in `covers`, because proxies refuse longer URLs."""


class ListingSearch(NamedTuple):
    """The conditions that listings must meet; a condition that is None or empty is ignored.

    A single field of the listing must meet all of `field`, `type`, `unit` and `embedding`.
    """

    text: str | None
    field: str | None
    type: wire.FieldType | None
    unit: str | None
    embedding: str | None
    licence: str | None
    min_points: int | None
    covers: Sequence[str]  # at least one field has one of these names


async def _listing_search(
    text: Annotated[
        Line | None,
        Query(
            description="Words, or parts of words. Each must be in the title, the description, "
            "the licence, the classes, the fields or the organisation's name."
        ),
    ] = None,
    field: Annotated[
        Line | None, Query(description="The name of a field that the dataset has.")
    ] = None,
    type: Annotated[  # noqa: A002 - the name of the parameter in the API
        wire.FieldType | None,
        Query(description="The type of a field that the dataset has; of `field`, if it is given."),
    ] = None,
    unit: Annotated[
        Line | None,
        Query(description="The unit of a field that the dataset has; of `field`, if it is given."),
    ] = None,
    embedding: Annotated[
        Line | None,
        Query(
            description="The model that computed a field of the dataset; the `field`, if it is "
            "given."
        ),
    ] = None,
    licence: Annotated[
        Line | None, Query(description="The licence of the dataset, such as CC-BY-4.0.")
    ] = None,
    min_points: Annotated[
        int | None,
        Query(ge=1, le=2**31 - 1, description="The least number of rows that the dataset has."),
    ] = None,
    covers: Annotated[
        list[Line] | None,
        Query(
            max_length=MOST_COVERED,
            description="Names of fields that you need. The response lists datasets that have at "
            "least one of these fields, each with its `coverage`.",
        ),
    ] = None,
) -> ListingSearch:
    return ListingSearch(
        text, field, type, unit, embedding, licence, min_points, tuple(covers or ())
    )


ListingSearchDependency = Annotated[ListingSearch, Depends(_listing_search)]


def index(listing: Listing) -> None:
    """Index a new or edited listing, so that searches find it."""
    listing.licence_key = None if listing.licence is None else organisation_key(listing.licence)
    listing.words = organisation_key(" ".join(_texts(listing)))
    listing.searched_fields = [
        SearchedField(
            position=position,
            name_key=organisation_key(field["name"]),
            type=field["type"],
            unit=field["unit"],
            embedding_key=organisation_key(field["embedding"]) if field["embedding"] else None,
        )
        for position, field in enumerate(listing.fields)
    ]


def searched(listings: Select[Listing], search: ListingSearch) -> Select[Listing]:
    """Restrict a statement to the listings that meet the conditions of a search."""
    for word in organisation_key(search.text or "").split():
        listings = listings.where(Listing.words.contains(word, autoescape=True))
    of_one_field = list(_of_one_field(search))
    if of_one_field:
        listings = listings.where(_has_field(*of_one_field))
    if search.covers:
        keys = {organisation_key(name) for name in search.covers}
        listings = listings.where(_has_field(SearchedField.name_key.in_(sorted(keys))))
    if search.licence is not None:
        listings = listings.where(Listing.licence_key == organisation_key(search.licence))
    if search.min_points is not None:
        listings = listings.where(Listing.points >= search.min_points)
    return listings


def coverage(listing: Listing, needed: Sequence[str]) -> wire.Coverage:
    """Return which share of the needed fields a listing has, and the names of the missing ones."""
    present = {organisation_key(field["name"]) for field in listing.fields}
    missing = [name for name in needed if organisation_key(name) not in present]
    return wire.Coverage(share=1 - len(missing) / len(needed), missing=missing)


def _texts(listing: Listing) -> Iterator[str]:
    yield from (listing.title, listing.description, listing.account.organisation)
    yield from (listing.licence or "", *(listing.classes or ()))
    for field in listing.fields:
        names = ("name", "title", "description", "unit", "embedding")
        yield from (field[name] for name in names if field[name] is not None)


def _of_one_field(search: ListingSearch) -> Iterator[ColumnElement[bool]]:
    if search.field is not None:
        yield SearchedField.name_key == organisation_key(search.field)
    if search.type is not None:
        yield SearchedField.type == search.type
    if search.unit is not None:
        yield SearchedField.unit == search.unit
    if search.embedding is not None:
        yield SearchedField.embedding_key == organisation_key(search.embedding)


def _has_field(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(SearchedField.listing_id == Listing.id, *conditions)

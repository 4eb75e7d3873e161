"""Publish, search, read and edit listings."""

from collections.abc import Sequence
from functools import partial

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.models import Account
from ..accounts.principal import Principal
from ..http.entity_tags import entity_tag, require_match
from ..http.missing import missing
from ..http.pagination import PageQuery, page
from . import repository
from .models import Listing
from .schemas import ListingEdit, NewListing
from .search import ListingSearch, coverage, index, searched


def create_listing(session: Session, caller: Principal, new: NewListing) -> wire.Listing:
    """Publish a listing."""
    listing = Listing(account=session.get_one(Account, caller.account_id), **new.model_dump())
    index(listing)
    session.add(listing)
    session.flush()
    return _listing(listing)


def list_listings(
    session: Session, caller: Principal, search: ListingSearch, query: PageQuery
) -> wire.Page[wire.Listing]:
    """Return a page of the listings that the caller may see and that meet a search's conditions."""
    found = searched(repository.visible_listings(caller.as_seller), search)
    return page(session, found, Listing, query, partial(_listing, needed=search.covers))


def read_listing(session: Session, caller: Principal, listing_id: str) -> wire.Listing:
    """Return a listing that the caller may see.

    Raises
    ------
    NotFound
        If there is no such listing, or the caller may not see it.
    """
    return _listing(
        _required(repository.visible_listing(session, caller.as_seller, listing_id), listing_id)
    )


def edit_listing(
    session: Session, caller: Principal, listing_id: str, edit: ListingEdit, if_match: str | None
) -> wire.Listing:
    """Edit the caller's own listing.

    Raises
    ------
    NotFound
        If the caller has no such listing.
    PreconditionRequired
        If `if_match` is None.
    PreconditionFailed
        If `if_match` does not name the current version.
    """
    listing = _required(repository.own_listing(session, caller.account_id, listing_id), listing_id)
    require_match(if_match, entity_tag(_listing(listing)))
    changes = edit.changes()
    if "fields" in changes:
        changes["fields"] = [field.model_dump() for field in edit.fields]
    for name, value in changes.items():
        setattr(listing, name, value)
    index(listing)
    session.flush()
    return _listing(listing)


def _required(listing: Listing | None, listing_id: str) -> Listing:
    if listing is None:
        raise missing("listing", listing_id)
    return listing


def _listing(listing: Listing, needed: Sequence[str] = ()) -> wire.Listing:
    derived = {
        "organisation": listing.account.organisation,
        "coverage": coverage(listing, needed) if needed else None,
    }
    return wire.Listing.model_validate(
        derived
        | {
            field: getattr(listing, field)
            for field in wire.Listing.model_fields
            if field not in derived
        }
    )

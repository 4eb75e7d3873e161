"""Publish, read and edit listings."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.authentication import Principal
from ..accounts.models import Account
from ..http.entity_tags import entity_tag, require_match
from ..http.pagination import PageQuery, page
from ..http.problems import Invalid, NotFound
from . import repository
from .models import Listing
from .schemas import ListingEdit, NewListing


def create_listing(session: Session, caller: Principal, new: NewListing) -> wire.Listing:
    """Publish a listing.

    Raises
    ------
    Invalid
        If there is not one feature name per dimension.
    """
    listing = Listing(account=session.get_one(Account, caller.account_id), **new.model_dump())
    _check(listing)
    session.add(listing)
    session.flush()
    return _listing(listing)


def list_listings(session: Session, caller: Principal, query: PageQuery) -> wire.Page[wire.Listing]:
    """Return a page of the listings that the caller may see."""
    return page(session, repository.visible_listings(caller.as_seller), Listing, query, _listing)


def read_listing(session: Session, caller: Principal, listing_id: str) -> wire.Listing:
    """Return a listing that the caller may see.

    Raises
    ------
    NotFound
        If the caller may not see such a listing.
    """
    return _listing(
        _required(repository.visible_listing(session, caller.as_seller, listing_id), listing_id)
    )


def edit_listing(
    session: Session, caller: Principal, listing_id: str, edit: ListingEdit, if_match: str | None
) -> wire.Listing:
    """Edit a listing of the caller.

    Raises
    ------
    NotFound
        If the caller has no such listing.
    PreconditionRequired, PreconditionFailed
        If the edit does not name the current version.
    Invalid
        If there is not one feature name per dimension.
    """
    listing = _required(repository.own_listing(session, caller.account_id, listing_id), listing_id)
    require_match(if_match, entity_tag(_listing(listing)))
    for field, value in edit.changes().items():
        setattr(listing, field, value)
    _check(listing)
    session.flush()
    return _listing(listing)


def _check(listing: Listing) -> None:
    names = listing.feature_names
    if names is not None and len(names) != listing.dimension:
        raise Invalid(
            f"feature_names: expected one name for each of the {listing.dimension} dimensions; "
            f"received {len(names)}.",
            expected=listing.dimension,
            received=len(names),
        )


def _required(listing: Listing | None, listing_id: str) -> Listing:
    if listing is None:
        raise NotFound(f"There is no listing {listing_id}.", received=listing_id)
    return listing


def _listing(listing: Listing) -> wire.Listing:
    return wire.Listing.model_validate(
        {"organisation": listing.account.organisation}
        | {
            field: getattr(listing, field)
            for field in wire.Listing.model_fields
            if field != "organisation"
        }
    )

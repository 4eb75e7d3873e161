"""The rules of listings."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.authentication import Principal
from ..accounts.models import Account
from ..kit.entity_tags import entity_tag, require_match
from ..kit.pagination import PageQuery, page
from ..kit.problems import Invalid, NotFound
from . import repository
from .models import Listing
from .schemas import ListingEdit, NewListing


def create_listing(session: Session, caller: Principal, new: NewListing) -> wire.Listing:
    """Publish a listing.

    Raises
    ------
    Invalid
        If the names of the features are not one a dimension.
    """
    listing = Listing(account=session.get_one(Account, caller.account_id), **new.model_dump())
    _check(listing)
    session.add(listing)
    session.flush()
    return _listing(listing)


def list_listings(session: Session, caller: Principal, query: PageQuery) -> wire.Page[wire.Listing]:
    """Return a page of the listings that the caller sees."""
    return page(session, repository.visible_listings(caller.account_id), Listing, query, _listing)


def read_listing(session: Session, caller: Principal, listing_id: str) -> wire.Listing:
    """Return a listing that the caller sees.

    Raises
    ------
    NotFound
        If there is none such.
    """
    return _listing(
        _found(repository.visible_listing(session, caller.account_id, listing_id), listing_id)
    )


def edit_listing(
    session: Session, caller: Principal, listing_id: str, edit: ListingEdit, if_match: str | None
) -> wire.Listing:
    """Change a listing of the caller.

    Raises
    ------
    NotFound
        If the caller has none such.
    PreconditionRequired, PreconditionFailed
        If the edit does not name the current version.
    Invalid
        If the names of the features are not one a dimension.
    """
    listing = _found(repository.own_listing(session, caller.account_id, listing_id), listing_id)
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
            f"{len(names)} came.",
            expected=listing.dimension,
            received=len(names),
        )


def _found(listing: Listing | None, listing_id: str) -> Listing:
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

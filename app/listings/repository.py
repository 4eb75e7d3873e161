"""Queries of listings: everybody reads them, only their seller changes them."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from .models import Listing


def visible_listings(account_id: str) -> Select[Listing]:
    """Select what an account sees: all published listings, and its own archived ones."""
    return select(Listing).where(
        (Listing.state == "published") | (Listing.account_id == account_id)
    )


def visible_listing(session: Session, account_id: str, listing_id: str) -> Listing | None:
    """Return a listing that an account sees."""
    return session.scalars(
        visible_listings(account_id).where(Listing.id == listing_id)
    ).one_or_none()


def own_listing(session: Session, account_id: str, listing_id: str) -> Listing | None:
    """Return a listing of an account and lock it, for an edit."""
    return session.scalars(
        select(Listing)
        .where(Listing.account_id == account_id, Listing.id == listing_id)
        .with_for_update(of=Listing, key_share=True)
    ).one_or_none()

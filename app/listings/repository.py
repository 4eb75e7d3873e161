"""Queries of listings: any account reads published ones, and only the seller edits."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from .models import Listing


def visible_listings(seller_id: str | None) -> Select[Listing]:
    """Select all published listings, and a seller's own archived ones."""
    return select(Listing).where((Listing.state == "published") | (Listing.account_id == seller_id))


def visible_listing(session: Session, seller_id: str | None, listing_id: str) -> Listing | None:
    """Return a listing that an account may see."""
    return session.scalars(
        visible_listings(seller_id).where(Listing.id == listing_id)
    ).one_or_none()


def own_listing(session: Session, account_id: str, listing_id: str) -> Listing | None:
    """Return and lock a listing of an account."""
    return session.scalars(
        select(Listing)
        .where(Listing.account_id == account_id, Listing.id == listing_id)
        .with_for_update(of=Listing, key_share=True)
    ).one_or_none()

"""Queries of listings. Any account reads published listings; only the seller edits a listing."""

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from .models import Listing


def visible_listings(seller_id: str | None) -> Select[Listing]:
    """Select all published listings, and the archived listings of the account `seller_id`.

    `seller_id` is the caller's account, or None if the caller's key lacks the scope `seller`.
    """
    return select(Listing).where((Listing.state == "published") | (Listing.account_id == seller_id))


def visible_listing(session: Session, seller_id: str | None, listing_id: str) -> Listing | None:
    """Return the listing with this id, or None if the caller may not see it.

    `seller_id` is the caller's account, or None if the caller's key lacks the scope `seller`.
    """
    return session.scalars(
        visible_listings(seller_id).where(Listing.id == listing_id)
    ).one_or_none()


def own_listing(session: Session, account_id: str, listing_id: str) -> Listing | None:
    """Return and lock the account's own listing with this id, or None."""
    return session.scalars(
        select(Listing)
        .where(Listing.account_id == account_id, Listing.id == listing_id)
        .with_for_update(of=Listing, key_share=True)
    ).one_or_none()

"""Listings: sellers' descriptions of their datasets."""

from datetime import datetime
from typing import Literal

from wassay.models.base import Model
from wassay.models.caps import Caps

ListingState = Literal["published", "archived"]


class Listing(Model):
    """A seller's description of a dataset, without its data.

    A listing without `caps` has those of the seller's account.
    """

    id: str
    account_id: str
    organisation: str
    state: ListingState
    title: str
    description: str
    dimension: int
    points: int
    feature_names: list[str] | None
    embedding: str | None
    classes: list[str] | None
    licence: str | None
    terms: str | None
    caps: Caps | None
    created_at: datetime
    updated_at: datetime

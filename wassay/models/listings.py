"""A seller's described datasets."""

from datetime import datetime
from typing import Literal

from wassay.models.base import Model
from wassay.models.caps import Caps

ListingState = Literal["published", "archived"]


class Listing(Model):
    """A dataset that a seller offers: its description, never its data.

    Without `caps` of its own, those of the seller's account hold.
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

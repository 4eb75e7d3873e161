"""A seller's described datasets."""

from datetime import datetime
from typing import Literal

from wassay.models.base import Model

ListingState = Literal["published", "archived"]


class Listing(Model):
    """A dataset that a seller offers: its description, never its data."""

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
    created_at: datetime
    updated_at: datetime

"""Listings: sellers' descriptions of their datasets."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model
from wassay.models.caps import Caps

ListingState = Literal["published", "archived"]
FieldType = Literal[
    "string",
    "number",
    "integer",
    "boolean",
    "date",
    "datetime",
    "time",
    "duration",
    "list",
    "any",
]
FieldKind = Literal[
    "number",
    "integer",
    "date",
    "datetime",
    "boolean",
    "category",
    "ordered",
    "vector",
    "image",
    "text",
]


class ListingField(Model):
    """A field of a dataset, as its data dictionary describes it."""

    name: str = Field(description="The column's name.")
    title: str | None = None
    description: str | None = None
    type: str = Field(default="any", description="In Table Schema's vocabulary.")
    unit: str | None = Field(default=None, description="Such as EUR or kg/m².")
    kind: str | None = Field(
        default=None, description="The kind of field of a recipe that suits it."
    )
    embedding: str | None = Field(
        default=None, description="The model, with its version, that computed the vectors."
    )
    dimension: int | None = Field(
        default=None, description="The number of values in a row: of a vector, or of pixels."
    )


class Coverage(Model):
    """Which share of the fields that a buyer needs a listing has; fields are compared by name."""

    share: float = Field(description="The share of the needed fields that the listing has.")
    missing: list[str] = Field(description="The needed fields that it does not have.")


class Listing(Listed):
    """A seller's description of a dataset, without its data.

    A listing without `caps` has those of the seller's account. `coverage` is present in a search by
    `covers`.
    """

    id: str
    account_id: str
    organisation: str
    state: ListingState
    title: str
    description: str
    dimension: int
    points: int
    fields: list[ListingField] = Field(default=[], description="The data dictionary.")
    classes: list[str] | None
    licence: str | None
    terms: str | None
    caps: Caps | None
    coverage: Coverage | None = None
    created_at: datetime
    updated_at: datetime

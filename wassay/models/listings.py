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
    """The description of one field of a dataset, in the dataset's data dictionary."""

    name: str = Field(description="The column's name.")
    title: str | None = None
    description: str | None = None
    type: str = Field(default="any", description="The type, in the vocabulary of Table Schema.")
    unit: str | None = Field(default=None, description="The unit, such as EUR or kg/m².")
    kind: str | None = Field(
        default=None, description="The kind of field of a recipe that suits this field."
    )
    embedding: str | None = Field(
        default=None, description="The model, with its version, that computed the vectors."
    )
    dimension: int | None = Field(
        default=None,
        description="The number of values in a row, for a vector or the pixels of an image.",
    )


class Coverage(Model):
    """How many of the fields that a buyer needs are in a listing. Fields are compared by name."""

    share: float = Field(description="The share of the needed fields that the listing has.")
    missing: list[str] = Field(description="The needed fields that the listing does not have.")


class Listing(Listed):
    """A seller's description of a dataset, without the data.

    If `caps` is null, the caps of the seller's account apply. Only a search for needed fields
    (`covers`) fills in `coverage`; otherwise it is null.
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

"""Listings: sellers' descriptions of their datasets."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from wassay.models.base import Listed, Model
from wassay.models.caps import Caps
from wassay.models.descriptions import ORGANISATION, SELLER

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
    title: str | None = Field(default=None, description="What people call the field.")
    description: str | None = Field(default=None, description="What the field's values mean.")
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
    """A seller's description of a dataset, without the data."""

    id: str
    account_id: str = Field(description=SELLER)
    organisation: str = Field(description=ORGANISATION)
    state: ListingState = Field(
        description="`published`: everyone finds the listing. `archived`: only the seller does."
    )
    title: str = Field(description="A short title of the dataset.")
    description: str = Field(description="What the dataset contains.")
    dimension: int = Field(description="The number of coordinates of a point.")
    points: int = Field(description="The number of points of the dataset.")
    fields: list[ListingField] = Field(
        default=[],
        description="The data dictionary: the fields of the dataset, by which buyers can search "
        "for it.",
    )
    classes: list[str] | None = Field(
        description="The names of the classes of labelled points. Null: points have no labels."
    )
    licence: str | None = Field(description="The licence of the data, such as CC-BY-4.0.")
    terms: str | None = Field(description="Further terms, in words.")
    caps: Caps | None = Field(
        description="The caps of this dataset. Null: the caps of the seller's account apply."
    )
    coverage: Coverage | None = Field(
        default=None,
        description="How many of the needed fields the listing has. Null unless the search named "
        "needed fields (`covers`).",
    )
    created_at: datetime
    updated_at: datetime

"""Request models of listings."""

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from wassay.models import FieldKind, FieldType, Listing, ListingField, ListingState
from wassay.organisations import organisation_key
from wassay.readable_text import Line, Text

from ..accounts.caps import NewCaps
from ..http.request_models import PatchModel, RequestModel, meaning

MOST_FIELDS = 1_000
MOST_FIELD_CHARACTERS = 2**16
"""The most characters of a data dictionary, limited because lists contain a hundred dictionaries.
"""

Count = Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
Names = Annotated[list[Line], Field(min_length=1, max_length=10_000)]


class NewField(RequestModel):
    """A field of a dataset, such as a column of a table."""

    example: ClassVar[dict[str, Any]] = {"name": "income", "type": "number", "unit": "EUR"}

    name: Line = Field(description=meaning(ListingField, "name"))
    title: Line | None = Field(default=None, description=meaning(ListingField, "title"))
    description: Annotated[Text, StringConstraints(max_length=2_000)] | None = Field(
        default=None, description=meaning(ListingField, "description")
    )
    type: FieldType = Field(default="any", description=meaning(ListingField, "type"))
    unit: Line | None = Field(default=None, description=meaning(ListingField, "unit"))
    kind: FieldKind | None = Field(default=None, description=meaning(ListingField, "kind"))
    embedding: Line | None = Field(default=None, description=meaning(ListingField, "embedding"))
    dimension: Count | None = Field(default=None, description=meaning(ListingField, "dimension"))


def _bounded(fields: list[NewField]) -> list[NewField]:
    keys = [organisation_key(field.name) for field in fields]
    if len(set(keys)) < len(keys):
        raise ValueError("expected fields whose names differ by more than case and blanks")
    size = sum(
        len(text)
        for field in fields
        for text in (field.name, field.title, field.description, field.unit, field.embedding)
        if text is not None
    )
    if size > MOST_FIELD_CHARACTERS:
        raise ValueError(
            f"expected at most {MOST_FIELD_CHARACTERS} characters in all fields together; "
            f"received {size}"
        )
    return fields


Fields = Annotated[
    list[NewField],
    Field(
        max_length=MOST_FIELDS,
        description=meaning(Listing, "fields"),
    ),
    AfterValidator(_bounded),
]


class NewListing(RequestModel):
    """A listing to publish."""

    example: ClassVar[dict[str, Any]] = {
        "title": "Household survey",
        "description": "A sample of households in 2025.",
        "dimension": 3,
        "points": 1797,
        "fields": [
            {"name": "age", "type": "integer", "unit": "a", "kind": "integer"},
            {"name": "income", "type": "number", "unit": "EUR", "description": "A year, net."},
            {
                "name": "answer",
                "type": "list",
                "kind": "vector",
                "embedding": "all-MiniLM-L6-v2",
                "dimension": 384,
            },
        ],
        "licence": "CC-BY-4.0",
    }

    title: Line = Field(description=meaning(Listing, "title"))
    description: Text = Field(default="", description=meaning(Listing, "description"))
    dimension: Count = Field(description=meaning(Listing, "dimension"))
    points: Count = Field(description=meaning(Listing, "points"))
    fields: Fields = Field(default=[])
    classes: Names | None = Field(default=None, description=meaning(Listing, "classes"))
    licence: Line | None = Field(default=None, description=meaning(Listing, "licence"))
    terms: Text | None = Field(default=None, description=meaning(Listing, "terms"))
    caps: NewCaps | None = Field(default=None, description=meaning(Listing, "caps"))


class ListingEdit(PatchModel):
    """Changes to a listing."""

    example: ClassVar[dict[str, Any]] = {"points": 2000}

    state: ListingState = Field(default="published", description=meaning(Listing, "state"))
    title: Line = Field(default="", description=meaning(Listing, "title"))
    description: Text = Field(default="", description=meaning(Listing, "description"))
    dimension: Count = Field(default=1, description=meaning(Listing, "dimension"))
    points: Count = Field(default=1, description=meaning(Listing, "points"))
    fields: Fields = Field(default=[])
    classes: Names | None = Field(default=None, description=meaning(Listing, "classes"))
    licence: Line | None = Field(default=None, description=meaning(Listing, "licence"))
    terms: Text | None = Field(default=None, description=meaning(Listing, "terms"))
    caps: NewCaps | None = Field(default=None, description=meaning(Listing, "caps"))

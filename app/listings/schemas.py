"""Request models of listings."""

from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from wassay.models import FieldKind, FieldType, ListingState
from wassay.organisations import organisation_key
from wassay.readable_text import Line, Text

from ..accounts.caps import NewCaps
from ..http.request_models import PatchModel, RequestModel

MOST_FIELDS = 1_000
MOST_FIELD_CHARACTERS = 2**16
"""The most characters of a data dictionary, limited because lists contain a hundred dictionaries.
"""

Count = Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
Names = Annotated[list[Line], Field(min_length=1, max_length=10_000)]


class NewField(RequestModel):
    """A field of a dataset, such as a column of a table."""

    example: ClassVar[dict[str, Any]] = {"name": "income", "type": "number", "unit": "EUR"}

    name: Line = Field(description="The column's name.")
    title: Line | None = None
    description: Annotated[Text, StringConstraints(max_length=2_000)] | None = None
    type: FieldType = Field(default="any", description="The type, named as in Table Schema.")
    unit: Line | None = Field(default=None, description="The unit, such as EUR or kg/m².")
    kind: FieldKind | None = Field(
        default=None, description="The kind of recipe field that suits this field."
    )
    embedding: Line | None = Field(
        default=None, description="The model, with its version, that computed the vectors."
    )
    dimension: Count | None = Field(
        default=None,
        description="The number of values per row: the length of a vector, or the number of "
        "pixels.",
    )


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
        description="The data dictionary: the fields of the dataset, by which buyers can search "
        "for it.",
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

    title: Line
    description: Text = ""
    dimension: Count
    points: Count
    fields: Fields = Field(default=[])
    classes: Names | None = None
    licence: Line | None = None
    terms: Text | None = None
    caps: NewCaps | None = Field(
        default=None, description="The caps of this dataset. `null`: the account's caps apply."
    )


class ListingEdit(PatchModel):
    """Changes to a listing."""

    example: ClassVar[dict[str, Any]] = {"points": 2000}

    state: ListingState = "published"
    title: Line = ""
    description: Text = ""
    dimension: Count = 1
    points: Count = 1
    fields: Fields = Field(default=[])
    classes: Names | None = None
    licence: Line | None = None
    terms: Text | None = None
    caps: NewCaps | None = Field(
        default=None, description="The caps of this dataset. `null`: the account's caps apply."
    )

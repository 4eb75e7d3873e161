"""Request models of listings."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from wassay.models import ListingState

from ..accounts.caps import NewCaps
from ..http.request_models import PatchModel, RequestModel
from ..http.strings import Line, Text

Count = Annotated[int, Field(ge=1, le=2**31 - 1, strict=True)]
Names = Annotated[list[Line], Field(min_length=1, max_length=10_000)]


class NewListing(RequestModel):
    """A listing to publish."""

    example: ClassVar[dict[str, Any]] = {
        "title": "Handwritten digits, 8 × 8",
        "description": "Scanned in 2025, centred.",
        "dimension": 64,
        "points": 1797,
        "classes": ["0", "1"],
        "licence": "CC-BY-4.0",
    }

    title: Line
    description: Text = ""
    dimension: Count
    points: Count
    feature_names: Names | None = None
    embedding: Line | None = None
    classes: Names | None = None
    licence: Line | None = None
    terms: Text | None = None
    caps: NewCaps | None = Field(default=None, description="`null`: the account's caps apply.")


class ListingEdit(PatchModel):
    """Changes to a listing."""

    example: ClassVar[dict[str, Any]] = {"points": 2000}

    state: ListingState = "published"
    title: Line = ""
    description: Text = ""
    dimension: Count = 1
    points: Count = 1
    feature_names: Names | None = None
    embedding: Line | None = None
    classes: Names | None = None
    licence: Line | None = None
    terms: Text | None = None
    caps: NewCaps | None = Field(default=None, description="`null`: the account's caps apply.")

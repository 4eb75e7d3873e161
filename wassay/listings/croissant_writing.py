"""Write a listing as MLCommons Croissant 1.0."""

from typing import Any

from wassay.listings.croissant_vocabulary import CONTEXT, DATA_TYPES, IMAGE, OURS, UNTYPED, VERSION
from wassay.models import Listing, ListingField

HELD: dict[str, Any] = {
    "@type": "cr:FileSet",
    "@id": "rows",
    "name": "rows",
    "description": "The rows, which their seller holds and does not distribute.",
    "encodingFormat": "application/octet-stream",
    "includes": "*",
}
"""The source that all fields name, because validators require a source of every field."""


def to_croissant(listing: Listing, *, url: str) -> dict[str, Any]:
    """Describe a listing as Croissant: JSON-LD that catalogues of datasets can read.

    The data stays with the seller, so the document names no file to download.

    Parameters
    ----------
    listing : Listing
    url : str
        The address of a page about the dataset, or of the service that lists it.

    Returns
    -------
    dict
        The document, which `json.dumps` can write.
    """
    document: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": listing.title,
        "description": listing.description or listing.title,
        "url": url,
        "creator": {"@type": "sc:Organization", "name": listing.organisation},
        "datePublished": listing.created_at.date().isoformat(),
        "additionalProperty": _properties(points=listing.points, dimension=listing.dimension),
    }
    if listing.licence is not None:
        document["license"] = listing.licence
    if listing.fields:
        document["distribution"] = [HELD]
        document["recordSet"] = [
            {
                "@type": "cr:RecordSet",
                "@id": "records",
                "name": "records",
                "field": [_field(index, field) for index, field in enumerate(listing.fields)],
            }
        ]
    return document


def _field(index: int, field: ListingField) -> dict[str, Any]:
    written: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"records/{index}",  # Not the name, because ids may not contain blanks.
        "name": field.name,
        "dataType": IMAGE if field.kind == "image" else DATA_TYPES.get(field.type, "sc:Text"),
        "source": {"fileSet": {"@id": HELD["@id"]}, "extract": {"column": field.name}},
    }
    if field.title is not None:
        written["alternateName"] = field.title
    if field.description is not None:
        written["description"] = field.description
    if field.type == "list" and field.kind != "image":
        written["repeated"] = True
    properties = _properties(
        type=field.type if field.type in UNTYPED else None,
        unit=field.unit,
        kind=field.kind,
        embedding=field.embedding,
        dimension=field.dimension,
    )
    if properties:
        written["additionalProperty"] = properties
    return written


def _properties(**values: str | int | None) -> list[dict[str, Any]]:
    return [
        {"@type": "sc:PropertyValue", "name": f"{OURS}{name}", "value": value}
        for name, value in values.items()
        if value is not None
    ]

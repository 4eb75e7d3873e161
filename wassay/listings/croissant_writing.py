"""Write a listing as MLCommons Croissant 1.0."""

from typing import Any

from wassay.listings.croissant_vocabulary import CONTEXT, DATA_TYPES, IMAGE, OURS, VERSION
from wassay.models import Listing, ListingField


def to_croissant(listing: Listing, *, url: str) -> dict[str, Any]:
    """Describe a listing as Croissant: JSON-LD that catalogues of datasets read.

    The document has no distribution, because the data stays with its seller.

    Parameters
    ----------
    listing : Listing
    url : str
        A page about the dataset, or where it is offered.

    Returns
    -------
    dict
        For `json.dumps`.
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
        document["recordSet"] = [
            {
                "@type": "cr:RecordSet",
                "@id": "records",
                "name": "records",
                "field": [_field(field) for field in listing.fields],
            }
        ]
    return document


def _field(field: ListingField) -> dict[str, Any]:
    written: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"records/{field.name}",
        "name": field.name,
        "dataType": IMAGE if field.kind == "image" else DATA_TYPES.get(field.type, "sc:DataType"),
    }
    if field.title is not None:
        written["alternateName"] = field.title
    if field.description is not None:
        written["description"] = field.description
    if field.type == "list" and field.kind != "image":
        written["repeated"] = True
    properties = _properties(
        unit=field.unit, kind=field.kind, embedding=field.embedding, dimension=field.dimension
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

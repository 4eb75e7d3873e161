"""The vocabulary of MLCommons Croissant 1.0, and how it maps to listings."""

from typing import Any

VERSION = "http://mlcommons.org/croissant/1.0"
SCHEMA_ORG = "https://schema.org/"

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": SCHEMA_ORG,
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": SCHEMA_ORG,
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification prescribes."""

DATA_TYPES = {
    "string": "sc:Text",
    "number": "sc:Float",
    "integer": "sc:Integer",
    "boolean": "sc:Boolean",
    "date": "sc:Date",
    "datetime": "sc:DateTime",
    "time": "sc:Time",
    "duration": "sc:Text",
    "list": "sc:Float",
    "any": "sc:Text",
}
"""The Croissant data type for each type of a listing's field. A list is a repeated number.

Types that Croissant lacks (`UNTYPED`) are texts.
"""

UNTYPED = frozenset({"duration", "any"})
"""The types that Croissant lacks. Documents state them in an additional property of our own."""

IMAGE = "sc:ImageObject"

FIELD_TYPES = {
    "Text": "string",
    "URL": "string",
    "Enumeration": "string",
    "Float": "number",
    "Number": "number",
    "Integer": "integer",
    "Boolean": "boolean",
    "Date": "date",
    "DateTime": "datetime",
    "Time": "time",
    "Duration": "duration",
    "ImageObject": "list",
} | {
    f"{name}{bits}": kind
    for name, kind, sizes in (
        ("Int", "integer", (8, 16, 32, 64)),
        ("UInt", "integer", (8, 16, 32, 64)),
        ("Float", "number", (16, 32, 64)),
    )
    for bits in sizes
}
"""The type of a listing's field, by the last part of a Croissant data type's name."""

OURS = "wassay:"
"""The prefix of the names of our own properties, for which Croissant has no word."""

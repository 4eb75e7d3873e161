"""Listings go to Croissant and back; documents as catalogues publish them are read."""

import json
from datetime import UTC, datetime
from typing import Any, get_args

import pandas as pd
import pytest

from wassay import Recipe
from wassay.listings import CroissantError, data_dictionary, from_croissant, to_croissant
from wassay.listings.croissant_vocabulary import DATA_TYPES
from wassay.models import FieldKind, FieldType, Listing, ListingField
from wassay.recipes.kinds.registry import BY_NAME

FIELDS = [
    *(ListingField(name=f"a {type_}", type=type_) for type_ in DATA_TYPES),
    ListingField(name="income", title="Income", description="Net.", type="number", unit="EUR"),
    ListingField(name="v", type="list", kind="vector", embedding="MiniLM v2", dimension=384),
    ListingField(name="scan", type="list", kind="image", dimension=64),
    ListingField(name="home/city", type="string", kind="category"),
]
LISTING = Listing(
    id="lst_1",
    account_id="acc_1",
    organisation="Acme",
    state="published",
    title="Survey",
    description="Households.",
    dimension=4,
    points=1797,
    fields=FIELDS,
    classes=None,
    licence="CC-BY-4.0",
    terms=None,
    caps=None,
    created_at=datetime(2026, 1, 2, tzinfo=UTC),
    updated_at=datetime(2026, 1, 2, tzinfo=UTC),
)
TITANIC = {
    # The shape of the specification's own example, with a set that enumerates values.
    "@context": {"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"},
    "@type": "sc:Dataset",
    "conformsTo": "http://mlcommons.org/croissant/1.0",
    "name": "Titanic",
    "description": {"@value": "Passengers.", "@language": "en"},
    "license": ["https://creativecommons.org/licenses/by/4.0/"],
    "url": "https://example.org/titanic",
    "distribution": [
        {"@type": "cr:FileObject", "@id": "passengers.csv", "contentUrl": "data/titanic.csv"}
    ],
    "recordSet": [
        {
            "@type": "cr:RecordSet",
            "@id": "genders",
            "dataType": "sc:Enumeration",
            "field": [{"@type": "cr:Field", "@id": "genders/label", "dataType": "sc:Text"}],
            "data": [{"genders/label": "Male"}],
        },
        {
            "@type": "cr:RecordSet",
            "@id": "passengers",
            "name": "passengers",
            "field": [
                {"@id": "passengers/name", "name": "passengers/name", "dataType": "sc:Text"},
                {"@id": "passengers/age", "name": "age", "dataType": ["cr:Float32", "wd:Q185836"]},
                {"@id": "passengers/sex", "dataType": "https://schema.org/Text"},
                {"@id": "passengers/photo", "name": "photo", "dataType": "sc:ImageObject"},
                {"@id": "passengers/trace", "dataType": "sc:Integer", "repeated": True},
                {
                    "@id": "passengers/home",
                    "subField": [
                        {"@id": "passengers/home/lat", "dataType": "sc:Float"},
                        {"@id": "passengers/home/geo", "dataType": "sc:GeoCoordinates"},
                    ],
                },
            ],
        },
    ],
}


def test_a_listing_comes_back_from_croissant_as_it_was() -> None:
    read = from_croissant(json.dumps(to_croissant(LISTING, url="https://example.org/1")))
    assert (read.title, read.description) == ("Survey", "Households.")
    assert (read.licence, read.points, read.dimension) == ("CC-BY-4.0", 1797, 4)
    assert read.fields == FIELDS


def test_what_is_written_has_all_that_croissant_requires() -> None:
    document = to_croissant(LISTING, url="https://example.org/1")
    required = {"@context", "@type", "conformsTo", "name", "description", "license", "url"}
    assert required | {"creator", "datePublished"} <= document.keys()
    assert document["datePublished"] == "2026-01-02"
    (records,) = document["recordSet"]
    (held,) = document["distribution"]
    assert "contentUrl" not in held
    ids = [each["@id"] for each in records["field"]]
    assert len(set(ids)) == len(FIELDS)
    for each in records["field"]:
        assert each["@type"] == "cr:Field"
        assert " " not in each["@id"]  # mlcroissant refuses blanks
        assert each["dataType"]
        assert each["source"] == {
            "fileSet": {"@id": held["@id"]},
            "extract": {"column": each["name"]},
        }
    bare = LISTING.model_copy(update={"fields": [], "licence": None, "description": ""})
    written = to_croissant(bare, url="https://example.org/1")
    assert "recordSet" not in written
    assert "distribution" not in written
    assert "license" not in written
    assert from_croissant(json.dumps(written)).fields == []


def test_a_published_document_is_read() -> None:
    read = from_croissant(json.dumps(TITANIC).encode())
    assert (read.title, read.description) == ("Titanic", "Passengers.")
    assert read.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert [(each.name, each.type, each.kind) for each in read.fields] == [
        ("name", "string", None),
        ("age", "number", None),
        ("sex", "string", None),
        ("photo", "list", "image"),
        ("trace", "list", None),
        ("home/lat", "number", None),
        ("home/geo", "any", None),
    ]


def test_fields_of_two_tables_are_told_apart() -> None:
    tables = [{"@id": each, "field": {"@id": f"{each}/id"}} for each in ("users", "films")]
    read = from_croissant(json.dumps({"@type": "Dataset", "name": "F", "recordSet": tables}))
    assert [each.name for each in read.fields] == ["users/id", "films/id"]


def test_a_licence_may_be_an_object() -> None:
    licence = {"@type": "CreativeWork", "name": "CC0", "url": "https://example.org"}
    document = {"@type": "Dataset", "name": "F", "license": licence}
    assert from_croissant(json.dumps(document)).licence == "CC0"


def deep(levels: int) -> dict[str, Any]:
    field: dict[str, Any] = {"name": "x"}
    for _ in range(levels):
        field = {"name": "x", "subField": field}
    return field


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b" " * (4 * 2**20 + 1), "at most 4,194,304 bytes"),
        (b"{", "which is JSON"),
        (b"\xff", "which is JSON"),
        (b"[" * 100_000, "which is JSON"),
        (b'{"name": "a", "name": "b"}', "twice"),
        (b"[]", "sc:Dataset"),
        (b'{"@type": "sc:Person"}', "sc:Dataset"),
        (b'{"@type": "sc:Dataset"}', '"name" of the dataset'),
        (b'{"@type": "sc:Dataset", "name": 1}', '"name" of the dataset'),
    ],
)
def test_what_is_not_croissant_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(CroissantError, match=message):
        from_croissant(content)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([3], "each field to be a JSON object"),
        ([{"dataType": "sc:Text"}], "a name of a field"),
        ([{"name": " "}], "a name of a field"),
        ([{"name": "x"}] * 1_001, "at most 1,000 fields"),
        ([deep(9)], "at most 8 levels"),
    ],
)
def test_fields_that_cannot_be_read_are_refused(fields: list[Any], message: str) -> None:
    document = {"@type": "Dataset", "name": "F", "recordSet": {"name": "r", "field": fields}}
    with pytest.raises(CroissantError, match=message):
        from_croissant(json.dumps(document))


def test_a_recipe_becomes_a_data_dictionary() -> None:
    rows = {
        "age": [20 + i * 7 % 30 for i in range(40)],
        "city": ["Basel", "Bern"] * 20,
        "id": [f"n{i}" for i in range(40)],
    }
    with pytest.warns(UserWarning, match="id"):
        recipe = Recipe.fit(pd.DataFrame(rows), units={"age": "a"})
    age, city = data_dictionary(recipe.public)
    assert (age.name, age.type, age.unit, age.kind) == ("age", "integer", "a", "integer")
    assert (city.name, city.type, city.kind) == ("city", "string", "category")


def test_listings_know_the_types_and_kinds_of_recipes() -> None:
    assert set(get_args(FieldKind)) == BY_NAME.keys()
    assert {each.schema_type for each in BY_NAME.values()} <= set(get_args(FieldType))
    assert DATA_TYPES.keys() == set(get_args(FieldType))

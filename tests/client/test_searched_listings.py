"""A search of listings is sent as parameters, and its finds can be edited."""

from tests.client.answers import MOMENT
from tests.client.conftest import Answer, ScriptedServer
from wassay import Client, models

LISTING = {
    "id": "lst_1",
    "account_id": "acc_1",
    "organisation": "Acme",
    "state": "published",
    "title": "Survey",
    "description": "",
    "dimension": 1,
    "points": 1,
    "fields": [{"name": "age", "type": "integer"}],
    "classes": None,
    "licence": None,
    "terms": None,
    "caps": None,
    "created_at": MOMENT,
    "updated_at": MOMENT,
}


def test_a_search_names_what_it_asks_for_and_nothing_else(
    client: Client, server: ScriptedServer
) -> None:
    found = LISTING | {"coverage": {"share": 0.5, "missing": ["bmi"]}}
    server.script = [Answer(200, {"items": [found], "next_cursor": None})]
    (listing,) = client.listings.search("a b", unit="EUR", min_points=3, covers=["age", "bmi"])
    assert listing.fields == [models.ListingField(name="age", type="integer")]
    assert listing.coverage == models.Coverage(share=0.5, missing=["bmi"])
    (sent,) = server.received
    assert sent.target == "/v1/listings?text=a+b&unit=EUR&min_points=3&covers=age&covers=bmi"


def test_a_listing_that_a_search_found_can_be_edited(
    client: Client, server: ScriptedServer
) -> None:
    found = models.Listing.model_validate(
        LISTING | {"coverage": {"share": 0.5, "missing": ["bmi"]}}
    )
    server.script = [Answer(200, LISTING, {"ETag": '"1"'}), Answer(200, LISTING)]
    client.listings.edit(found, fields=[models.ListingField(name="age", type="integer")])
    assert server.received[-1].method == "PATCH"

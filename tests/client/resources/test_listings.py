"""A search of listings is sent as parameters, and the listings that it finds can be edited."""

import pytest

from tests.client.answers import MOMENT, request
from tests.client.conftest import Answer, ScriptedServer
from wassay import Client, Recipe, models
from wassay.errors import InvalidArgumentError

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


def test_a_request_with_a_recipe_names_the_fields_that_are_needed(
    client: Client, server: ScriptedServer
) -> None:
    rows = {"age": [20 + i * 7 % 30 for i in range(40)], "bmi": [i**1.5 for i in range(40)]}
    recipe = Recipe.fit(rows, roles={"bmi": "ignored"}).public.model_dump(mode="json")
    asked = models.Request.model_validate(request(recipe=recipe))
    server.script = [Answer(200, {"items": [], "next_cursor": None})]
    assert list(client.listings.search(covers=asked)) == []
    assert server.received[-1].target == "/v1/listings?covers=age"
    with pytest.raises(InvalidArgumentError, match="a request with a recipe"):
        client.listings.search(covers=asked.model_copy(update={"recipe": None}))

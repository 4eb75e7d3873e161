"""Buyers find listings by what the sellers say about the data."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.app.conftest import Party, Service, new_parties, problem

Offer = Callable[..., str]

SURVEY: dict[str, Any] = {
    "title": "Straßen survey",
    "description": "Households; 100% interviewed.",
    "dimension": 3,
    "points": 5_000,
    "licence": "CC-BY-4.0",
    "fields": [
        {"name": "Age", "type": "integer", "unit": "a", "description": "At the interview."},
        {"name": "income", "type": "number", "unit": "EUR"},
        {"name": "answer", "type": "list", "kind": "vector", "embedding": "MiniLM-L6 v2"},
    ],
}
CELLS: dict[str, Any] = {
    "title": "Cells",
    "dimension": 2,
    "points": 100,
    "classes": ["malignant", "benign"],
    "fields": [{"name": "radius", "type": "number", "unit": "mm"}, {"name": "age"}],
}


class Market:
    """Two listings of one organisation, whose name separates them from other tests' listings."""

    def __init__(self, party: Callable[..., Party]) -> None:
        self.organisation = f"Org{uuid4().hex}"
        self.seller = party("seller", organisation=self.organisation)
        self.buyer = party("buyer")
        self.ids = {}
        for name, listing in (("survey", SURVEY), ("cells", CELLS)):
            created = self.seller.post("/v1/listings", json=listing)
            assert created.status_code == 201, created.text
            self.ids[created.json()["id"]] = name

    def found(self, **query: Any) -> list[dict[str, Any]]:
        query["text"] = f"{self.organisation} {query.get('text', '')}"
        response = self.buyer.get("/v1/listings", params=query)
        assert response.status_code == 200, response.text
        items: list[dict[str, Any]] = response.json()["items"]
        return items

    def names(self, **query: Any) -> list[str]:
        return [self.ids[each["id"]] for each in self.found(**query)]


@pytest.fixture(scope="module")
def market(service: Service) -> Iterator[Market]:
    with new_parties(service) as party:
        yield Market(party)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["cells", "survey"]),
        ({"text": "STRASSEN"}, ["survey"]),
        ({"text": "interview survey"}, ["survey"]),
        ({"text": "cells survey"}, []),
        ({"text": "malign"}, ["cells"]),
        ({"text": "100%"}, ["survey"]),
        ({"text": "100_"}, []),
        ({"field": "age"}, ["cells", "survey"]),
        ({"field": "ag"}, []),
        ({"field": "AGE", "type": "integer"}, ["survey"]),
        ({"field": "age", "unit": "EUR"}, []),
        ({"unit": "EUR"}, ["survey"]),
        ({"unit": "eur"}, []),
        ({"type": "number"}, ["cells", "survey"]),
        ({"embedding": "minilm-l6 V2"}, ["survey"]),
        ({"licence": "cc-by-4.0"}, ["survey"]),
        ({"min_points": 101}, ["survey"]),
        ({"min_points": 100, "type": "number", "limit": 1}, ["cells"]),
    ],
)
def test_a_search_finds_what_has_all_that_it_asks_for(
    market: Market, query: dict[str, Any], names: list[str]
) -> None:
    assert market.names(**query) == names


def test_a_search_says_which_needed_fields_a_listing_lacks(market: Market) -> None:
    cells, survey = market.found(covers=["age", "Income", "bmi", "ANSWER"])
    assert cells["coverage"] == {"share": 0.25, "missing": ["Income", "bmi", "ANSWER"]}
    assert survey["coverage"] == {"share": 0.75, "missing": ["bmi"]}
    assert market.names(covers=["income"]) == ["survey"]
    assert market.found(covers=["bmi"]) == []
    assert {each["coverage"] is None for each in market.found()} == {True}


def test_pages_of_a_search_hold_only_what_it_finds(market: Market) -> None:
    query: dict[str, Any] = {"text": market.organisation, "type": "number", "limit": 1}
    first = market.buyer.get("/v1/listings", params=query).json()
    query["cursor"] = first["next_cursor"]
    second = market.buyer.get("/v1/listings", params=query).json()
    found = [market.ids[each["id"]] for each in first["items"] + second["items"]]
    assert (found, second["next_cursor"]) == (["cells", "survey"], None)


def test_a_listing_is_found_by_its_fields_after_an_edit(
    http: Callable[..., Party], service: Service
) -> None:
    seller = http("seller", organisation="Edits")
    created = seller.post("/v1/listings", json=CELLS)
    path, version = created.headers["location"], {"If-Match": created.headers["etag"]}
    fields = [{"name": "perimeter", "unit": "mm"}, {"name": "radius", "unit": "cm"}]
    edited = seller.patch(path, json={"fields": fields}, headers=version)
    assert [each["type"] for each in edited.json()["fields"]] == ["any", "any"]

    def finds(**query: str) -> bool:
        items = seller.get("/v1/listings", params=query | {"limit": "100"}).json()["items"]
        return created.json()["id"] in {each["id"] for each in items}

    assert finds(field="perimeter")
    assert finds(field="radius", unit="cm")
    assert not finds(field="radius", unit="mm")
    assert not finds(field="age")
    assert not finds(text="age")


@pytest.mark.parametrize(
    "query",
    [
        {"type": "str"},
        {"min_points": "0"},
        {"text": "a\x00"},
        {"field": ""},
        {"covers": ["x"] * 201},
    ],
)
def test_a_search_that_cannot_be_understood_is_refused(market: Market, query: Any) -> None:
    response = market.buyer.get("/v1/listings", params=query)
    assert problem(response) == (422, "invalid")
    assert response.json()["errors"][0]["location"].startswith(f"query.{next(iter(query))}")


def test_a_closed_account_leaves_no_word_to_search_by(http: Callable[..., Party]) -> None:
    seller = http("seller", organisation="Leavers")
    listing = seller.post("/v1/listings", json=SURVEY | {"title": "Forgotten"}).json()
    buyer = http("buyer")
    assert listing["id"] in buyer.get("/v1/listings?text=forgotten").text
    assert seller.delete(f"/v1/accounts/{seller.account_id}").status_code in {202, 204}
    assert listing["id"] not in buyer.get("/v1/listings?text=forgotten").text

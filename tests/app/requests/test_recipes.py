"""The public part of a request's recipe: visible to all who see the request, and limited."""

from typing import Any

import numpy as np
import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import POINTS, Parties, invite, put, refused
from tests.app.retention.test_closed_accounts import tables_with
from wassay.recipes import Ordered, PublicPart, Recipe

BOX = "AAAA"
RECIPE = Recipe.fit(
    {"age": np.arange(40.0) % 17, "size": ["S", "M", "L", "M"] * 10},
    kinds={"size": Ordered(order=("S", "M", "L"))},
    units={"age": "years"},
    seed=1,
).public.model_dump(mode="json")


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


def new(buyer: Party, recipe: object, **reference: object) -> Any:
    terms = {"size": 1, "dimension": 2, "distribution": {"kind": "normal"}, **reference}
    if not reference:
        terms |= {"disclosure": "sealed", "commitment": "ab" * 32}
    made = buyer.post("/v1/references", json=terms)
    assert made.status_code == 201, made.text
    return buyer.post(
        "/v1/requests",
        json={"title": "Customers", "reference_id": made.json()["id"], "recipe": recipe},
    )


def test_whoever_sees_a_request_reads_the_public_part_of_its_recipe(
    buyer: Party, http: Parties
) -> None:
    created = new(buyer, RECIPE)
    assert created.status_code == 201, created.text
    assert created.json()["recipe"] == RECIPE
    request_id = created.json()["id"]
    seller = http("seller")
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    invite(buyer, request_id, seller)
    buyer.post(f"/v1/requests/{request_id}/open")
    read = seller.get(f"/v1/requests/{request_id}").json()["recipe"]
    assert PublicPart.model_validate(read).digest() == PublicPart.model_validate(RECIPE).digest()


def test_a_key_that_is_sealed_with_a_recipe_is_two_rows_of_the_ledger(
    buyer: Party, http: Parties
) -> None:
    request_id = new(buyer, RECIPE).json()["id"]
    seller = http("seller")
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    invite(buyer, request_id, seller)
    for _ in range(2):  # sealing again discloses nothing new
        path = f"/v1/requests/{request_id}/sealed-keys/{seller.account_id}"
        assert buyer.put(path, json={"box": BOX}).status_code == 200
    rows = buyer.get("/v1/disclosures", params={"request_id": request_id}).json()["items"]
    told = {row["kind"]: row for row in rows if row["viewer_id"] == seller.account_id}
    assert set(told) == {"key", "recipe"}
    assert len(rows) == 3  # the third row is about the measure
    recipe = told["recipe"]
    assert recipe["digest"] == PublicPart.model_validate(RECIPE).digest()
    assert (recipe["points"], recipe["disclosure_class"]) == (len(POINTS), "scalars")


@pytest.mark.parametrize(
    ("change", "slug"),
    [
        ({"jitter": 7}, "invalid"),
        ({"code": "import os"}, "invalid"),
        ({"fields": []}, "invalid"),
        ({"fields": [{**RECIPE["fields"][0], "name": "a\u0000b"}]}, "invalid"),
        ({"fields": [{**RECIPE["fields"][0], "name": "a\u202eb"}]}, "invalid"),
        ({"fields": [{**RECIPE["fields"][0], "name": "a\u200bb"}]}, "invalid"),
        ({"fields": [{**RECIPE["fields"][0], "title": "a\u3164b"}]}, "invalid"),
        ({"fields": [{**RECIPE["fields"][0], "unit": "\u2060EUR"}]}, "invalid"),
        ({"fields": [{**RECIPE["fields"][0], "kind": {"kind": "pickle"}}]}, "invalid"),
        (
            {
                "fields": [
                    {**RECIPE["fields"][0], "name": f"x{index}", "description": "d" * 2000}
                    for index in range(140)
                ]
            },
            "invalid",
        ),
        ({"fields": RECIPE["fields"][:1]}, "recipe-not-possible"),
    ],
    ids=[
        *("type", "extra", "empty", "nul", "bidi", "hidden name", "hidden title", "hidden unit"),
        *("kind", "large", "dimension"),
    ],
)
def test_a_recipe_that_is_none_is_refused(
    buyer: Party, change: dict[str, object], slug: str
) -> None:
    refused(new(buyer, {**RECIPE, **change}), 422, slug)


def test_a_recipe_is_erased_with_its_buyers_account(buyer: Party, service: Service) -> None:
    fields = [
        {**RECIPE["fields"][0], "name": "monthly-churn-0417", "unit": "u0417"},
        RECIPE["fields"][1],
    ]
    assert new(buyer, {**RECIPE, "fields": fields}).status_code == 201
    assert tables_with(service, "monthly-churn-0417") == ["requests"]
    assert buyer.delete(f"/v1/accounts/{buyer.account_id}").status_code == 204
    assert tables_with(service, "monthly-churn-0417") == []


def test_a_recipe_needs_a_sealed_reference(buyer: Party) -> None:
    refused(new(buyer, RECIPE, disclosure="open"), 422, "recipe-not-possible")

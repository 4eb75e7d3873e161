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


def test_a_request_is_found_by_all_the_fields_that_its_recipe_reads(buyer: Party) -> None:
    ignored = {"name": "Post code", "role": "ignored"}
    renamed = {**RECIPE["fields"][0], "name": "Body  %_MASS"}
    both, one = (
        new(buyer, {**RECIPE, "fields": fields}).json()["id"]
        for fields in (RECIPE["fields"], [renamed, RECIPE["fields"][1], ignored])
    )

    def found(*names: str) -> list[str]:
        return searched(buyer, field=list(names))

    assert found() == found("SIZE") == [one, both]
    assert found("age", "size") == [both]
    assert found("body %_mass") == [one]
    for absent in ("ag", "%", "post code", "body %xmass"):
        assert found(absent) == []
    assert found("size", "bmi") == []
    refused(buyer.get("/v1/requests", params={"field": "a\nb"}), 422, "invalid")


def test_a_request_is_found_by_the_type_and_unit_of_its_fields(buyer: Party) -> None:
    age, size = RECIPE["fields"]
    power = {**age, "name": "power", "type": "integer", "unit": "mW"}
    label = {"name": "churn", "role": "label", "unit": "USD"}
    unread = {"name": "code", "role": "ignored", "unit": "EUR"}
    years = new(buyer, RECIPE).json()["id"]
    watts = new(buyer, {**RECIPE, "fields": [power, size, label, unread]}).json()["id"]

    assert searched(buyer, type="string") == [watts, years]
    assert searched(buyer, type="integer") == searched(buyer, unit="mW") == [watts]
    assert searched(buyer, field="age", type="number", unit="years") == [years]
    assert searched(buyer, unit="USD") == searched(buyer, field="CHURN", unit="USD") == [watts]
    others: list[dict[str, str | list[str]]] = [
        {"unit": "MW"},  # megawatts, not milliwatts
        {"unit": "EUR"},
        {"unit": "year"},
        {"field": "size", "unit": "years"},
        {"field": "power", "type": "string"},
        {"field": ["power", "size"], "type": "integer"},
    ]
    for other in others:
        assert searched(buyer, **other) == [], other
    refused(buyer.get("/v1/requests", params={"type": "money"}), 422, "invalid")


def test_a_request_is_found_by_words_of_its_text_its_fields_and_its_organisation(
    buyer: Party,
) -> None:
    described = {**RECIPE["fields"][0], "title": "Lebensalter", "description": "At the last visit"}
    made = new(buyer, {**RECIPE, "fields": [described, RECIPE["fields"][1]]}).json()
    plain = new(buyer, None).json()
    organisation = buyer.get(f"/v1/accounts/{buyer.account_id}").json()["organisation"]

    assert searched(buyer, text="customer") == [plain["id"], made["id"]]
    assert searched(buyer, text=f"VISIT  {organisation} lebens") == [made["id"]]
    assert searched(buyer, text="years") == [made["id"]]
    assert searched(buyer, text="visit%") == []
    path = f"/v1/requests/{plain['id']}"
    tag = buyer.get(path).headers["ETag"]
    assert buyer.patch(path, json={"title": "Weather"}, headers={"If-Match": tag}).is_success
    assert searched(buyer, text="weather") == [plain["id"]]
    assert searched(buyer, text="customers") == [made["id"]]


def searched(party: Party, **query: str | list[str]) -> list[str]:
    read = party.get("/v1/requests", params=query)
    assert read.status_code == 200, read.text
    return [each["id"] for each in read.json()["items"]]


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

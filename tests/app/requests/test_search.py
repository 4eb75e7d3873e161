"""Requests are found by words of their texts, and by the fields that their recipes read."""

import pytest

from tests.app.conftest import Party
from tests.app.requests.market import Parties, refused
from tests.app.requests.test_recipes import RECIPE, new


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


def searched(party: Party, **query: str | list[str]) -> list[str]:
    read = party.get("/v1/requests", params=query)
    assert read.status_code == 200, read.text
    return [each["id"] for each in read.json()["items"]]


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

"""Listings: every account reads them, and only their seller edits them, version by version."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.app.conftest import Party, problem

Http = Callable[..., Party]

NEW: dict[str, Any] = {"title": "Digits", "dimension": 2, "points": 100}


def publish(seller: Party, **fields: Any) -> dict[str, Any]:
    response = seller.post("/v1/listings", json=NEW | fields)
    assert response.status_code == 201, response.text
    listing: dict[str, Any] = response.json()
    return listing


def test_a_listing_is_read_by_everybody_as_it_was_published(http: Http) -> None:
    seller = http("seller", organisation="Sellers Ltd")
    response = seller.post(
        "/v1/listings",
        json=NEW | {"fields": [{"name": "x"}], "classes": ["0", "1"], "licence": "CC0"},
    )
    listing = response.json()
    assert listing["organisation"] == "Sellers Ltd"
    assert listing["state"] == "published"
    read = http("buyer").get(response.headers["location"])
    assert read.json() == listing
    assert read.headers["etag"] == response.headers["etag"]


def test_a_buyer_publishes_nothing(http: Http) -> None:
    assert problem(http("buyer").post("/v1/listings", json=NEW)) == (403, "forbidden")


def test_an_archived_listing_is_seen_by_its_seller_only(http: Http) -> None:
    seller, buyer = http("seller"), http("buyer")
    listing = publish(seller)
    path = f"/v1/listings/{listing['id']}"
    etag = seller.get(path).headers["etag"]
    edited = seller.patch(path, json={"state": "archived"}, headers={"If-Match": etag})
    assert edited.json()["state"] == "archived"
    assert seller.get(path).status_code == 200
    assert problem(buyer.get(path)) == (404, "not-found")
    shown = buyer.get("/v1/listings?limit=100").json()["items"]
    assert listing["id"] not in {item["id"] for item in shown}


def test_an_edit_without_if_match_is_refused(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/listings/{publish(seller)['id']}"
    response = seller.patch(path, json={"title": "New"})
    assert problem(response) == (428, "precondition-required")
    assert response.json()["expected"] == seller.get(path).headers["etag"]
    assert seller.get(path).json()["title"] == "Digits"


def test_an_edit_of_a_stale_version_is_refused_and_changes_nothing(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/listings/{publish(seller)['id']}"
    first = seller.get(path).headers["etag"]
    second = seller.patch(path, json={"title": "Second"}, headers={"If-Match": first})
    assert second.headers["etag"] != first
    stale = seller.patch(path, json={"title": "Third"}, headers={"If-Match": first})
    assert problem(stale) == (412, "precondition-failed")
    assert seller.get(path).json() == second.json()


def test_an_edit_may_name_its_version_as_a_compressing_proxy_passes_it_on(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/listings/{publish(seller)['id']}"
    first = seller.get(path).headers["etag"]
    second = seller.patch(path, json={"title": "Second"}, headers={"If-Match": f"W/{first}"})
    assert second.json()["title"] == "Second"
    stale = seller.patch(path, json={"title": "Third"}, headers={"If-Match": f"W/{first}"})
    assert problem(stale) == (412, "precondition-failed")


def test_of_two_edits_of_one_version_at_once_one_wins(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/listings/{publish(seller)['id']}"
    etag = seller.get(path).headers["etag"]

    def edit(title: str) -> int:
        return seller.patch(path, json={"title": title}, headers={"If-Match": etag}).status_code

    with ThreadPoolExecutor(8) as threads:
        statuses = sorted(threads.map(edit, map(str, range(8))))
    assert statuses == [200] + 7 * [412]


def test_absent_fields_stay_unchanged(http: Http) -> None:
    seller = http("seller")
    listing = publish(seller, description="Handwritten", licence="CC0")
    path = f"/v1/listings/{listing['id']}"
    etag = seller.get(path).headers["etag"]
    edited = seller.patch(path, json={"licence": None}, headers={"If-Match": etag}).json()
    changed = {field for field in listing if listing[field] != edited[field]}
    assert changed == {"licence", "updated_at"}


def test_another_sellers_listing_cannot_be_edited(http: Http) -> None:
    ada, eve = http("seller"), http("seller")
    path = f"/v1/listings/{publish(ada)['id']}"
    etag = eve.get(path).headers["etag"]
    response = eve.patch(path, json={"title": "Mine"}, headers={"If-Match": etag})
    assert problem(response) == (404, "not-found")
    assert ada.get(path).json()["title"] == "Digits"


def test_a_reader_who_holds_the_current_version_gets_no_body(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/listings/{publish(seller)['id']}"
    etag = seller.get(path).headers["etag"]
    for held in (etag, f'"other", W/{etag}', "*"):
        unchanged = seller.get(path, headers={"If-None-Match": held})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert unchanged.headers["etag"] == etag
    assert seller.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "   "),
        ("title", "a\x00b"),
        ("title", "a" * 201),
        ("description", "\x00"),
        ("description", "\u202e"),
        ("description", "a" * 10_001),
        ("fields", [{"name": "x\x00"}]),
        ("fields", [{"name": "x", "type": "str"}]),
        ("fields", [{"name": "x", "kind": "float"}]),
        ("fields", [{"name": "x", "dimension": 0}]),
        ("fields", [{"name": "x", "units": "EUR"}]),
        ("fields", [{"name": "x"}, {"name": " X"}]),
        ("fields", 1_001 * [{"name": "x"}]),
        ("fields", [{"name": str(i), "description": "a" * 2_000} for i in range(33)]),
        ("dimension", 0),
        ("dimension", "2"),
        ("points", 2**31),
        ("points", 10**400),
        ("state", "archived"),
        ("Title", "misspelt"),
    ],
)
def test_an_invalid_field_is_named(http: Http, field: str, value: object) -> None:
    response = http("seller").post("/v1/listings", json=NEW | {field: value})
    assert problem(response) == (422, "invalid")
    assert response.json()["errors"][0]["location"].startswith(f"body.{field}")
    assert len(response.content) < 2000


def test_text_of_any_script_comes_back_as_it_was_sent(http: Http) -> None:
    description = "ψ ∫ 数据 🧮 می‌خواهم \\u0000 '; DROP TABLE listings; --\n\ttail"
    assert publish(http("seller"), description=description)["description"] == description


def test_null_for_a_required_field_is_refused(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/listings/{publish(seller)['id']}"
    etag = seller.get(path).headers["etag"]
    edit = seller.patch(path, json={"title": None}, headers={"If-Match": etag})
    assert problem(edit) == (422, "invalid")

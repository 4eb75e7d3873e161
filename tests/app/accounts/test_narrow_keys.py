"""A key with few scopes can do nothing for which its account's other keys are needed."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party
from tests.app.requests.market import (
    POINTS,
    begun,
    draft,
    invite,
    opened,
    put,
    refused,
    submitted,
)
from tests.conftest import ON_SQLITE
from wassay.models import Scope
from wassay.sealed_boxes import KeyPair

pytestmark = ON_SQLITE

Http = Callable[..., Party]


def narrowed(http: Http, party: Party, *scopes: Scope) -> Party:
    return http(*scopes, account_id=party.account_id)


def test_a_key_revokes_no_key_with_scopes_that_it_lacks(http: Http) -> None:
    wide = http("buyer", "seller", "admin")
    narrow = narrowed(http, wide, "buyer")
    path = f"/v1/accounts/{wide.account_id}/keys"
    ids = {tuple(key["scopes"]): key["id"] for key in narrow.get(path).json()["items"]}

    forbidden = refused(
        narrow.delete(f"{path}/{ids['buyer', 'seller', 'admin']}"), 403, "forbidden"
    )

    assert forbidden["received"] == ["buyer"]
    assert wide.get("/v1/accounts/me").status_code == 200
    assert narrow.delete(f"{path}/{ids['buyer',]}").status_code == 204


def test_a_key_replaces_no_encryption_key_that_wider_keys_use(http: Http) -> None:
    wide = http("buyer", "seller")
    narrow = narrowed(http, wide, "seller")
    path = f"/v1/accounts/{wide.account_id}/encryption-key"
    first, second = ({"public_key": KeyPair.draw().public.text} for _ in range(2))
    assert narrow.put(path, json=first).status_code == 200
    assert narrow.put(path, json=first).status_code == 200

    refused(narrow.put(path, json=second), 403, "forbidden")

    assert narrow.get(path).json()["public_key"] == first["public_key"]
    assert wide.put(path, json=second).status_code == 200


def test_a_sellers_key_reads_nothing_of_its_accounts_requests(http: Http) -> None:
    buyer, other = http("buyer", "seller"), http("seller")
    drafted, open_ = draft(buyer), opened(buyer)
    invite(buyer, open_, other)
    contribution_id = submitted(other, open_)
    evaluation = buyer.post(f"/v1/requests/{open_}/evaluations", json={}).json()["id"]
    reference_id = buyer.get(f"/v1/requests/{drafted}").json()["reference_id"]
    paths = (
        f"/v1/requests/{drafted}",
        f"/v1/requests/{open_}",
        f"/v1/requests/{open_}/measure",
        f"/v1/requests/{open_}/contributions",
        f"/v1/requests/{open_}/evaluations",
        f"/v1/references/{reference_id}",
        f"/v1/contributions/{contribution_id}",
        f"/v1/evaluations/{evaluation}",
        f"/v1/evaluations/{evaluation}/events",
        f"/v1/evaluations/{evaluation}/receipt",
        f"/v1/evaluations/{evaluation}/scores/{contribution_id}",
    )
    seller, admin = narrowed(http, buyer, "seller"), narrowed(http, buyer, "admin")

    for path in paths:
        for key in (seller, admin):
            refused(key.get(path), 404, "not-found")
    for path in paths[:-3]:
        assert buyer.get(path).status_code == 200, path


def test_a_buyers_key_reads_nothing_of_its_accounts_contributions(http: Http) -> None:
    buyer, seller = http("buyer"), http("buyer", "seller")
    request_id = opened(buyer, modes=["cost-block"], reveals_measure=True)
    invite(buyer, request_id, seller)
    contribution_id = begun(seller, request_id, "cost-block")
    listing = seller.post("/v1/listings", json={"title": "Mine", "dimension": 2, "points": 9})
    archived = f"/v1/listings/{listing.json()['id']}"
    etag = listing.headers["etag"]
    seller.patch(archived, json={"state": "archived"}, headers={"If-Match": etag})
    paths = (
        archived,
        f"/v1/requests/{request_id}",
        f"/v1/requests/{request_id}/measure",
        f"/v1/contributions/{contribution_id}",
    )
    narrow = narrowed(http, seller, "buyer")

    for path in paths:
        refused(narrow.get(path), 404, "not-found")
        assert seller.get(path).status_code == 200


def test_a_sellers_key_sees_an_evaluation_of_its_accounts_own_request_as_any_seller_does(
    http: Http,
) -> None:
    both, other = http("buyer", "seller"), http("seller")
    request_id = opened(both, audience="everyone")
    own, others = submitted(both, request_id), submitted(other, request_id)
    evaluation = both.post(f"/v1/requests/{request_id}/evaluations", json={}).json()["id"]
    path = f"/v1/evaluations/{evaluation}"
    assert set(both.get(path).json()["contribution_ids"]) == {own, others}

    assert narrowed(http, both, "seller").get(path).json()["contribution_ids"] == [own]


@pytest.mark.parametrize("scope", ["buyer", "admin"])
def test_a_box_for_a_seller_is_read_with_a_sellers_key_only(scope: Scope, http: Http) -> None:
    buyer, seller = http("buyer"), http("buyer", "seller")
    terms = {"size": 1, "dimension": 2, "distribution": {"kind": "normal"}}
    sealed = terms | {"disclosure": "sealed", "commitment": "ab" * 32}
    reference_id = buyer.post("/v1/references", json=sealed).json()["id"]
    made = buyer.post(
        "/v1/requests",
        json={"title": "T", "reference_id": reference_id, "audience": "everyone"},
    )
    request_id = made.json()["id"]
    invite(buyer, request_id, seller)
    path = f"/v1/requests/{request_id}/sealed-keys/{seller.account_id}"
    assert buyer.put(path, json={"box": "YWJj" * 30}).is_success
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    assert buyer.post(f"/v1/requests/{request_id}/open").status_code == 200

    refused(narrowed(http, seller, scope).get(path), 404, "not-found")

    assert narrowed(http, seller, "seller").get(path).status_code == 200

"""Sealed keys: uploaded by the buyer for invited sellers, each of whom reads only their own."""

import base64

import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    POINTS,
    Parties,
    draft,
    footprint,
    invite,
    opened,
    put,
    refused,
    submitted,
)
from tests.conftest import ON_POSTGRES
from wassay.models import MAX_BOX

BOX, OTHER_BOX = (base64.b64encode(bytes([number]) * 300).decode() for number in (1, 2))


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@pytest.fixture
def seller(http: Parties) -> Party:
    return http("seller")


def sealed_draft(buyer: Party, **terms: object) -> str:
    new = {
        "size": 1,
        "dimension": 2,
        "distribution": {"kind": "normal"},
        "disclosure": "sealed",
        "commitment": "ab" * 32,
    }
    reference = buyer.post("/v1/references", json=new)
    assert reference.status_code == 201, reference.text
    request = buyer.post(
        "/v1/requests",
        json={"title": "Digits", "reference_id": reference.json()["id"], **terms},
    )
    assert request.status_code == 201, request.text
    return str(request.json()["id"])


def sealed_request(buyer: Party, **terms: object) -> str:
    request_id = sealed_draft(buyer, **terms)
    assert put(buyer, f"/v1/requests/{request_id}/measure", POINTS).status_code == 201
    assert buyer.post(f"/v1/requests/{request_id}/open").status_code == 200
    return request_id


def path(request_id: str, seller: Party) -> str:
    return f"/v1/requests/{request_id}/sealed-keys/{seller.account_id}"


@ON_POSTGRES
def test_each_seller_reads_their_own_box_and_no_other(
    buyer: Party, seller: Party, http: Parties
) -> None:
    other, stranger = http("seller"), http("seller", "admin")
    request_id = sealed_request(buyer)
    for invited, box in ((seller, BOX), (other, OTHER_BOX)):
        invite(buyer, request_id, invited)
        assert buyer.put(path(request_id, invited), json={"box": box}).status_code == 200
    read = seller.get(path(request_id, seller))
    assert read.json() == {
        "request_id": request_id,
        "account_id": seller.account_id,
        "box": BOX,
    }
    assert other.get(path(request_id, other)).json()["box"] == OTHER_BOX
    refused(seller.get(path(request_id, other)), 404, "not-found")
    refused(stranger.get(path(request_id, other)), 404, "not-found")
    refused(stranger.get(path(request_id, stranger)), 404, "not-found")
    assert buyer.get(path(request_id, other)).json()["box"] == OTHER_BOX


@ON_POSTGRES
def test_boxes_are_not_shown_where_invitations_are_listed(buyer: Party, seller: Party) -> None:
    request_id = sealed_draft(buyer)
    invite(buyer, request_id, seller)
    listing = f"/v1/requests/{request_id}/invitations"
    assert [each["has_sealed_key"] for each in buyer.get(listing).json()["items"]] == [False]
    buyer.put(path(request_id, seller), json={"box": BOX})
    listed = buyer.get(listing)
    assert [each["has_sealed_key"] for each in listed.json()["items"]] == [True]
    assert BOX not in listed.text


@ON_POSTGRES
def test_a_box_left_in_a_draft_is_read_once_the_request_is_open(
    buyer: Party, seller: Party
) -> None:
    request_id = sealed_draft(buyer)
    invite(buyer, request_id, seller)
    buyer.put(path(request_id, seller), json={"box": BOX})
    refused(seller.get(path(request_id, seller)), 404, "not-found")
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    buyer.post(f"/v1/requests/{request_id}/open")
    assert seller.get(path(request_id, seller)).json()["box"] == BOX


@ON_POSTGRES
def test_only_the_buyer_of_the_request_leaves_boxes(
    buyer: Party, seller: Party, http: Parties, service: Service
) -> None:
    request_id = sealed_request(buyer, audience="everyone")
    invite(buyer, request_id, seller)
    before = footprint(service)
    refused(seller.put(path(request_id, seller), json={"box": BOX}), 403, "forbidden")
    refused(http("buyer").put(path(request_id, seller), json={"box": BOX}), 404, "not-found")
    assert footprint(service) == before


@ON_POSTGRES
def test_boxes_are_for_invited_sellers_even_if_everyone_may_contribute(
    buyer: Party, seller: Party
) -> None:
    request_id = sealed_request(buyer, audience="everyone")
    said = refused(buyer.put(path(request_id, seller), json={"box": BOX}), 404, "not-found")
    assert "Invite the account first" in said["detail"]


def test_revoking_an_invitation_deletes_its_box(buyer: Party, seller: Party) -> None:
    request_id = sealed_request(buyer, audience="everyone")
    invitation = invite(buyer, request_id, seller)
    buyer.put(path(request_id, seller), json={"box": BOX})
    buyer.delete(f"/v1/requests/{request_id}/invitations/{invitation}")
    refused(seller.get(path(request_id, seller)), 404, "not-found")
    invite(buyer, request_id, seller)
    refused(seller.get(path(request_id, seller)), 404, "not-found")


def test_a_box_replaces_the_previous_one(buyer: Party, seller: Party) -> None:
    request_id = sealed_request(buyer)
    invite(buyer, request_id, seller)
    for box in (BOX, OTHER_BOX):
        buyer.put(path(request_id, seller), json={"box": box})
    assert seller.get(path(request_id, seller)).json()["box"] == OTHER_BOX


@ON_POSTGRES
def test_an_open_reference_has_no_key_to_seal(buyer: Party, seller: Party) -> None:
    request_id = draft(buyer)
    invite(buyer, request_id, seller)
    refused(buyer.put(path(request_id, seller), json={"box": BOX}), 409, "reference-open")


@ON_POSTGRES
def test_a_request_that_has_ended_takes_no_boxes(buyer: Party, seller: Party) -> None:
    request_id = sealed_request(buyer)
    invite(buyer, request_id, seller)
    buyer.post(f"/v1/requests/{request_id}/close")
    refused(buyer.put(path(request_id, seller), json={"box": BOX}), 409, "request-not-open")


@ON_POSTGRES
@pytest.mark.parametrize("box", ["", "AAA", "A" * (MAX_BOX + 4), "not base64!!", 7, None])
def test_a_box_is_a_bounded_text_in_base64(buyer: Party, seller: Party, box: object) -> None:
    request_id = sealed_request(buyer)
    invite(buyer, request_id, seller)
    refused(buyer.put(path(request_id, seller), json={"box": box}), 422, "invalid")
    refused(seller.get(path(request_id, seller)), 404, "not-found")


@ON_POSTGRES
def test_a_contributing_seller_reads_their_box_after_the_close(buyer: Party, seller: Party) -> None:
    request_id = sealed_request(buyer)
    invite(buyer, request_id, seller)
    buyer.put(path(request_id, seller), json={"box": BOX})
    submitted(seller, request_id)
    buyer.post(f"/v1/requests/{request_id}/close")
    assert seller.get(path(request_id, seller)).json()["box"] == BOX


@ON_POSTGRES
def test_a_seller_sees_that_a_reference_is_open(buyer: Party, seller: Party) -> None:
    request_id = opened(buyer)
    invite(buyer, request_id, seller)
    reference = seller.get(f"/v1/requests/{request_id}").json()["reference_id"]
    seen = seller.get(f"/v1/references/{reference}").json()
    assert (seen["disclosure"], seen["commitment"]) == ("open", None)
    assert seen["seed"] is not None

"""Invitations: who may contribute to a request that is not for everyone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import Parties, begun, draft, footprint, invite, opened, refused


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@pytest.fixture
def seller(http: Parties) -> Party:
    return http("seller")


def test_only_an_invited_seller_sees_the_request(
    buyer: Party, seller: Party, http: Parties
) -> None:
    request_id = opened(buyer)
    path = f"/v1/requests/{request_id}"
    refused(seller.get(path), 404, "not-found")
    invite(buyer, request_id, seller)
    assert seller.get(path).json()["id"] == request_id
    refused(http("seller").get(path), 404, "not-found")


def test_an_invitation_to_a_draft_shows_nothing_until_it_opens(buyer: Party, seller: Party) -> None:
    request_id = draft(buyer)
    invite(buyer, request_id, seller)
    refused(seller.get(f"/v1/requests/{request_id}"), 404, "not-found")


def test_inviting_again_changes_nothing(buyer: Party, seller: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}/invitations"
    body = {"account_id": seller.account_id}
    first, again = buyer.post(path, json=body), buyer.post(path, json=body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert [item["id"] for item in buyer.get(path).json()["items"]] == [first.json()["id"]]


def test_two_invitations_at_once_make_one(buyer: Party, seller: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}/invitations"
    body = {"account_id": seller.account_id}
    with ThreadPoolExecutor(4) as pool:
        responses = list(pool.map(lambda _: buyer.post(path, json=body), range(4)))
    assert sorted(response.status_code for response in responses) == [200, 200, 200, 201]
    assert len({response.json()["id"] for response in responses}) == 1


def test_a_revoked_invitation_ends_access_but_keeps_the_contribution(
    buyer: Party, seller: Party, http: Parties
) -> None:
    request_id = opened(buyer)
    waited = http("seller")
    contributed = invite(buyer, request_id, seller)
    uninvited = invite(buyer, request_id, waited)
    contribution_id = begun(seller, request_id)
    for invitation_id in (contributed, uninvited):
        response = buyer.delete(f"/v1/requests/{request_id}/invitations/{invitation_id}")
        assert response.status_code == 204
    refused(waited.get(f"/v1/requests/{request_id}"), 404, "not-found")
    assert seller.get(f"/v1/contributions/{contribution_id}").json()["state"] == "draft"
    seller.post(f"/v1/contributions/{contribution_id}/withdraw")
    response = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": "measure"})
    refused(response, 403, "not-invited")


def test_an_unknown_account_or_invitation_is_not_found(buyer: Party, service: Service) -> None:
    path = f"/v1/requests/{draft(buyer)}/invitations"
    before = footprint(service)
    response = buyer.post(path, json={"account_id": "acc_unknown"})
    assert refused(response, 404, "not-found")["received"] == "acc_unknown"
    refused(buyer.delete(f"{path}/inv_unknown"), 404, "not-found")
    assert footprint(service) == before


def test_nobody_is_invited_to_a_request_that_has_ended(
    buyer: Party, seller: Party, service: Service
) -> None:
    request_id = opened(buyer)
    buyer.post(f"/v1/requests/{request_id}/close")
    before = footprint(service)
    response = buyer.post(
        f"/v1/requests/{request_id}/invitations", json={"account_id": seller.account_id}
    )
    assert refused(response, 409, "request-not-open")["received"] == "closed"
    assert footprint(service) == before

"""The states of a request: how it gets from one to another, and what each does not allow."""

import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    POINTS,
    Parties,
    draft,
    expire,
    footprint,
    opened,
    put,
    refused,
)
from tests.conftest import ON_POSTGRES


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@ON_POSTGRES
def test_a_request_without_a_measure_does_not_open(buyer: Party, service: Service) -> None:
    request_id = draft(buyer)
    before = footprint(service)
    body = refused(buyer.post(f"/v1/requests/{request_id}/open"), 409, "measure-missing")
    assert f"/v1/requests/{request_id}/measure" in body["detail"]
    assert footprint(service) == before


@ON_POSTGRES
def test_an_open_request_is_fixed(buyer: Party, service: Service) -> None:
    request_id = opened(buyer)
    path = f"/v1/requests/{request_id}"
    tag = buyer.get(path).headers["etag"]
    before = footprint(service)
    edit = buyer.patch(path, json={"title": "x"}, headers={"If-Match": tag})
    assert refused(edit, 409, "request-not-draft")["received"] == "open"
    upload = put(buyer, f"{path}/measure", POINTS + 1)
    assert refused(upload, 409, "request-not-draft")["received"] == "open"
    assert buyer.post(f"{path}/open").json()["state"] == "open"
    assert footprint(service) == before


@ON_POSTGRES
def test_a_request_goes_from_draft_to_open_to_closed(buyer: Party) -> None:
    request_id = draft(buyer)
    path = f"/v1/requests/{request_id}"
    assert refused(buyer.post(f"{path}/close"), 409, "request-not-open")["received"] == "draft"
    put(buyer, f"{path}/measure", POINTS)
    assert buyer.post(f"{path}/open").json()["state"] == "open"
    assert buyer.post(f"{path}/close").json()["state"] == "closed"
    assert buyer.post(f"{path}/close").json()["state"] == "closed"
    assert refused(buyer.post(f"{path}/open"), 409, "request-not-draft")["received"] == "closed"


@ON_POSTGRES
def test_a_cancelled_request_does_not_come_back(buyer: Party) -> None:
    path = f"/v1/requests/{opened(buyer)}"
    assert buyer.post(f"{path}/cancel").json()["state"] == "cancelled"
    assert buyer.post(f"{path}/cancel").json()["state"] == "cancelled"
    refused(buyer.post(f"{path}/open"), 409, "request-not-draft")
    refused(buyer.post(f"{path}/close"), 409, "request-not-open")


def test_a_request_expires_by_itself(buyer: Party, http: Parties, service: Service) -> None:
    seller = http("seller")
    path = f"/v1/requests/{opened(buyer, audience='everyone')}"
    assert seller.get(path).status_code == 200
    expire(service, path.rpartition("/")[2])
    assert buyer.get(path).json()["state"] == "expired"
    refused(seller.get(path), 404, "not-found")
    response = seller.post(f"{path}/contributions", json={"mode": "measure"})
    refused(response, 404, "not-found")
    assert buyer.post(f"{path}/close").json()["state"] == "closed"


@ON_POSTGRES
def test_a_request_that_would_be_expired_at_once_does_not_open(
    buyer: Party, service: Service
) -> None:
    request_id = draft(buyer)
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    expire(service, request_id)
    refused(buyer.post(f"/v1/requests/{request_id}/open"), 409, "request-expired")
    assert buyer.get(f"/v1/requests/{request_id}").json()["state"] == "draft"

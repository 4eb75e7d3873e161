"""The modes of a request need terms that suit them."""

import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    Parties,
    draft,
    footprint,
    reference,
    refused,
)
from tests.conftest import ON_POSTGRES


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@ON_POSTGRES
def test_cost_blocks_need_the_buyer_s_consent(buyer: Party, service: Service) -> None:
    terms = {"title": "t", "reference_id": reference(buyer), "modes": ["measure", "cost-block"]}
    before = footprint(service)
    body = refused(buyer.post("/v1/requests", json=terms), 422, "measure-not-revealed")
    assert "invert" in body["detail"]
    assert body["expected"] == {"reveals_measure": True}
    assert footprint(service) == before
    assert buyer.post("/v1/requests", json={**terms, "reveals_measure": True}).status_code == 201


@ON_POSTGRES
def test_consent_cannot_be_revoked_while_a_mode_needs_it(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer, modes=['cost-block'], reveals_measure=True)}"
    current = buyer.get(path)
    response = buyer.patch(
        path, json={"reveals_measure": False}, headers={"If-Match": current.headers["etag"]}
    )
    refused(response, 422, "measure-not-revealed")
    assert buyer.get(path).json() == current.json()

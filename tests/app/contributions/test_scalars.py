"""Contributions in mode `scalar`: a few numbers for each s, which must belong to one curve."""

from typing import Any

import pytest

from tests.app.conftest import Party
from tests.app.requests.market import POINTS, Parties, begun, draft, opened, put, refused
from tests.conftest import ON_SQLITE
from tests.models.test_contributions import HONEST, changed

TERMS = {"modes": ["measure", "scalar"], "reveals_measure": True}


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@pytest.fixture
def seller(http: Parties) -> Party:
    return http("seller")


@pytest.fixture
def request_id(buyer: Party) -> str:
    return opened(buyer, audience="everyone", **TERMS)


@pytest.fixture
def path(seller: Party, request_id: str) -> str:
    """The path of a draft in mode `scalar`."""
    return f"/v1/contributions/{begun(seller, request_id, 'scalar')}"


def test_scalars_are_replaced_by_later_ones_and_shown_to_their_seller_alone(
    buyer: Party, seller: Party, path: str
) -> None:
    for points in (39, 40):
        kept = seller.put(f"{path}/scalars", json={**HONEST, "points": points})
        assert kept.status_code == 200, kept.text
    assert seller.get(path).json()["scalars"] == HONEST
    assert buyer.get(path).json()["points"] is None
    submitted = seller.post(f"{path}/submit", json={"projection_spread": 0.0})
    assert (submitted.json()["state"], submitted.json()["points"]) == ("submitted", 40)
    seen = buyer.get(path).json()
    assert (seen["points"], seen["scalars"], seen["mode"]) == (40, None, "scalar")
    refused(seller.put(f"{path}/scalars", json=HONEST), 409, "contribution-not-draft")


@ON_SQLITE
def test_the_ledger_says_who_sees_what(
    buyer: Party, seller: Party, path: str, request_id: str
) -> None:
    assert seller.get(f"/v1/requests/{request_id}/measure").status_code == 200
    for _ in range(2):
        assert seller.put(f"{path}/scalars", json=HONEST).status_code == 200
    [own] = seller.get("/v1/disclosures", params={"role": "owner"}).json()["items"]
    assert (own["kind"], own["disclosure_class"], own["points"]) == ("scalars", "scalars", 40)
    assert own["viewer_id"] is None
    theirs = buyer.get("/v1/disclosures", params={"role": "owner"}).json()["items"]
    assert {(row["kind"], row["viewer_id"] is None) for row in theirs} == {
        ("measure", True),
        ("measure", False),
    }


@ON_SQLITE
def test_a_contribution_without_its_scalars_is_not_submitted(seller: Party, path: str) -> None:
    refused(seller.post(f"{path}/submit", json={}), 409, "scalars-missing")


@ON_SQLITE
def test_scalars_of_another_sweep_are_refused(seller: Party, path: str) -> None:
    body = refused(seller.put(f"{path}/scalars", json=changed(1, s=0.6)), 422, "other-sweep")
    assert body["expected"] == [0.25, 0.5, 0.75]
    assert body["received"] == [0.25, 0.6, 0.75]


@ON_SQLITE
@pytest.mark.parametrize(
    "body",
    [
        changed(0, alpha=0.0),
        {**HONEST, "lines": [{**line, "alpha": "3"} for line in HONEST["lines"]]},
        {**HONEST, "lines": [{**line, "gamma": 3.0} for line in HONEST["lines"]]},
        {**HONEST, "curve": 1},
        {},
        [],
    ],
)
def test_scalars_of_no_curve_are_refused(seller: Party, path: str, body: Any) -> None:
    refused(seller.put(f"{path}/scalars", json=body), 422, "invalid")
    assert seller.get(path).json()["scalars"] is None


@ON_SQLITE
def test_only_scalars_can_be_uploaded_in_mode_scalar(
    http: Parties, path: str, request_id: str, seller: Party
) -> None:
    body = refused(put(seller, f"{path}/measures/0.5", POINTS), 409, "wrong-mode")
    assert body["detail"].endswith(f"{path}/scalars.")
    other = http("seller")
    by_measure = f"/v1/contributions/{begun(other, request_id)}"
    body = refused(other.put(f"{by_measure}/scalars", json=HONEST), 409, "wrong-mode")
    assert body["detail"].endswith(f"{by_measure}/measures/{{s}}.")
    refused(other.put(f"{path}/scalars", json=HONEST), 404, "not-found")


@ON_SQLITE
def test_a_request_for_scalars_needs_consent_and_order_two(buyer: Party) -> None:
    reference_id = buyer.get(f"/v1/requests/{draft(buyer)}").json()["reference_id"]
    terms = {"title": "t", "reference_id": reference_id, **TERMS}
    hidden = buyer.post("/v1/requests", json={**terms, "reveals_measure": False})
    refused(hidden, 422, "measure-not-revealed")
    linear = buyer.post("/v1/requests", json={**terms, "order": 1})
    assert refused(linear, 422, "order-not-in-mode")["expected"] == 2

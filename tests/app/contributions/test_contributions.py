"""A contribution: created, filled and submitted, or declined, or withdrawn."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from app.contributions.access import mark_used, submitted_contributions
from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    POINTS,
    Parties,
    begun,
    filled,
    footprint,
    opened,
    put,
    refused,
    submitted,
)
from tests.conftest import ON_POSTGRES


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


@pytest.fixture
def seller(http: Parties) -> Party:
    return http("seller", organisation="Globex", name="Grace")


@pytest.fixture
def request_id(buyer: Party) -> str:
    return opened(buyer, audience="everyone")


def listing(seller: Party) -> str:
    response = seller.post("/v1/listings", json={"title": "Digits", "dimension": 2, "points": 3})
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


@ON_POSTGRES
def test_a_contribution_starts_as_a_draft_that_shows_the_buyer_nothing(
    seller: Party, request_id: str
) -> None:
    response = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": "measure"})
    assert response.status_code == 201
    body = response.json()
    assert response.headers["location"] == f"/v1/contributions/{body['id']}"
    assert {name: body[name] for name in body.keys() - {"id", "created_at", "updated_at"}} == {
        "request_id": request_id,
        "account_id": seller.account_id,
        "organisation": "Globex",
        "state": "draft",
        "mode": "measure",
        "label": "Grace",
        "listing_id": None,
        "score_policy": "none",
        "allows_comparison": False,
        "projection_spread": None,
        "points": None,
        "sampled_from": None,
        "arrays": [],
        "scalars": None,
        "decline_reason": None,
    }
    assert seller.get(response.headers["location"]).json() == body


@ON_POSTGRES
def test_a_contribution_may_name_a_listing_of_its_seller(
    seller: Party, http: Parties, request_id: str, service: Service
) -> None:
    foreign = listing(http("seller"))
    before = footprint(service)
    response = seller.post(
        f"/v1/requests/{request_id}/contributions", json={"mode": "measure", "listing_id": foreign}
    )
    assert refused(response, 404, "not-found")["received"] == foreign
    assert footprint(service) == before
    own = listing(seller)
    path = f"/v1/contributions/{begun(seller, request_id, listing_id=own, label='Ours')}"
    body = seller.get(path).json()
    assert (body["listing_id"], body["label"]) == (own, "Ours")


@ON_POSTGRES
def test_a_mode_that_is_not_offered_is_refused(
    seller: Party, request_id: str, service: Service
) -> None:
    before = footprint(service)
    response = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": "cost-block"})
    body = refused(response, 422, "mode-not-offered")
    assert (body["expected"], body["received"]) == (["measure"], "cost-block")
    assert footprint(service) == before


def test_a_second_contribution_is_refused_until_the_first_is_withdrawn(
    seller: Party, request_id: str, service: Service
) -> None:
    first = begun(seller, request_id)
    before = footprint(service)
    response = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": "measure"})
    assert refused(response, 409, "already-contributed")["received"] == first
    assert footprint(service) == before
    assert seller.post(f"/v1/contributions/{first}/withdraw").json()["state"] == "withdrawn"
    assert begun(seller, request_id) != first


def test_a_second_contribution_is_refused_with_what_to_do_about_the_first(
    seller: Party, request_id: str
) -> None:
    first = filled(seller, request_id)
    path, again = f"/v1/requests/{request_id}/contributions", {"mode": "measure"}
    draft = refused(seller.post(path, json=again), 409, "already-contributed")
    assert draft["detail"].endswith("Continue with that draft, or withdraw it first.")
    assert seller.post(f"/v1/contributions/{first}/submit", json={}).status_code == 200
    submitted = refused(seller.post(path, json=again), 409, "already-contributed")
    assert submitted["detail"].endswith("Withdraw it first.")


def test_of_many_concurrent_contributions_one_is_created(seller: Party, request_id: str) -> None:
    path = f"/v1/requests/{request_id}/contributions"
    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(lambda _: seller.post(path, json={"mode": "measure"}), range(6)))
    assert sorted(response.status_code for response in responses) == [201, 409, 409, 409, 409, 409]
    assert len(seller.get(path).json()["items"]) == 1


def test_a_submitted_contribution_shows_what_was_uploaded(
    buyer: Party, seller: Party, request_id: str
) -> None:
    contribution_id = filled(seller, request_id)
    response = seller.post(
        f"/v1/contributions/{contribution_id}/submit", json={"projection_spread": 0.5}
    )
    body = response.json()
    assert (body["state"], body["points"], body["projection_spread"]) == ("submitted", 3, 0.5)
    assert [array["s"] for array in body["arrays"]] == [0.25, 0.5, 0.75]
    assert buyer.get(f"/v1/contributions/{contribution_id}").json() == body


@ON_POSTGRES
def test_a_contribution_can_be_submitted_without_a_body(seller: Party, request_id: str) -> None:
    response = seller.post(f"/v1/contributions/{filled(seller, request_id)}/submit")
    assert (response.status_code, response.json()["state"]) == (200, "submitted")


@ON_POSTGRES
def test_a_contribution_that_lacks_an_s_is_not_submitted(
    seller: Party, request_id: str, service: Service
) -> None:
    contribution_id = begun(seller, request_id)
    put(seller, f"/v1/contributions/{contribution_id}/measures/0.5", POINTS)
    before = footprint(service)
    response = seller.post(f"/v1/contributions/{contribution_id}/submit", json={})
    body = refused(response, 409, "arrays-missing")
    assert body["missing"] == [0.25, 0.75]
    assert footprint(service) == before


@ON_POSTGRES
def test_points_are_weighed_alike_at_every_s(
    seller: Party, request_id: str, service: Service
) -> None:
    contribution_id = begun(seller, request_id)
    for s, weights in ((0.25, [0.5, 0.25, 0.25]), (0.5, [0.5, 0.25, 0.25]), (0.75, [0.5, 0.5, 0])):
        array = np.column_stack([POINTS, weights])
        path = f"/v1/contributions/{contribution_id}/measures/{s}"
        assert put(seller, path, array, weights="last_column").status_code == 201
    before = footprint(service)
    response = seller.post(f"/v1/contributions/{contribution_id}/submit", json={})
    body = refused(response, 409, "weights-differ")
    assert (body["expected"], body["received"]) == (0.25, 0.75)
    assert footprint(service) == before


@ON_POSTGRES
def test_stated_uniform_weights_equal_the_default(seller: Party, request_id: str) -> None:
    contribution_id = begun(seller, request_id)
    said = np.column_stack([POINTS, np.full(3, 1 / 3)])
    for s, array, weights in (
        (0.25, POINTS, "uniform"),
        (0.5, said, "last_column"),
        (0.75, POINTS, "uniform"),
    ):
        path = f"/v1/contributions/{contribution_id}/measures/{s}"
        assert put(seller, path, array, weights=weights).status_code == 201
    assert seller.post(f"/v1/contributions/{contribution_id}/submit").status_code == 200


@ON_POSTGRES
def test_a_submitted_contribution_does_not_change(
    seller: Party, request_id: str, service: Service
) -> None:
    path = f"/v1/contributions/{submitted(seller, request_id)}"
    before = footprint(service)
    for response in (
        put(seller, f"{path}/measures/0.5", POINTS + 1),
        seller.post(f"{path}/submit", json={}),
        seller.post(f"{path}/decline", json={"reason": "Changed our mind."}),
    ):
        assert refused(response, 409, "contribution-not-draft")["received"] == "submitted"
    assert footprint(service) == before


@ON_POSTGRES
def test_a_spread_is_a_finite_number_that_is_not_negative(
    seller: Party, request_id: str, subtests: pytest.Subtests
) -> None:
    path = f"/v1/contributions/{filled(seller, request_id)}"
    for spread in ("-0.1", "NaN", "Infinity", '"1"', "[]", "true"):
        with subtests.test(spread):
            response = seller.post(
                f"{path}/submit",
                content=f'{{"projection_spread": {spread}}}',
                headers={"Content-Type": "application/json"},
            )
            refused(response, 422, "invalid")
    assert seller.get(path).json()["state"] == "draft"


def test_a_seller_declines_with_a_reason_that_the_buyer_reads(
    buyer: Party, seller: Party, request_id: str
) -> None:
    path = f"/v1/contributions/{begun(seller, request_id)}"
    refused(seller.post(f"{path}/decline", json={}), 422, "invalid")
    refused(seller.post(f"{path}/decline", json={"reason": ""}), 422, "invalid")
    assert seller.post(f"{path}/decline", json={"reason": "No consent."}).status_code == 200
    body = buyer.get(path).json()
    assert (body["state"], body["decline_reason"]) == ("declined", "No consent.")
    refused(seller.post(f"{path}/withdraw"), 409, "contribution-ended")
    refused(seller.post(f"{path}/submit", json={}), 409, "contribution-not-draft")


@ON_POSTGRES
def test_a_submitted_contribution_can_be_withdrawn_until_an_evaluation_uses_it(
    http: Parties, request_id: str, service: Service
) -> None:
    quick, slow = http("seller"), http("seller")
    withdrawn, used = submitted(quick, request_id), submitted(slow, request_id)
    for _ in range(2):
        response = quick.post(f"/v1/contributions/{withdrawn}/withdraw")
        assert response.json()["state"] == "withdrawn"
    with service.database.transaction() as session:
        contributions = submitted_contributions(session, request_id, lock=True)
        assert [contribution.id for contribution in contributions] == [used]
        mark_used(contributions)
    before = footprint(service)
    refused(slow.post(f"/v1/contributions/{used}/withdraw"), 409, "contribution-used")
    assert footprint(service) == before


@ON_POSTGRES
def test_a_withdrawn_contribution_tells_the_buyer_nothing_of_its_points(
    buyer: Party, seller: Party, request_id: str
) -> None:
    path = f"/v1/contributions/{filled(seller, request_id)}"
    seller.post(f"{path}/submit", json={"projection_spread": 1.25})
    assert buyer.get(path).json()["projection_spread"] == 1.25
    seller.post(f"{path}/withdraw")

    seen = buyer.get(path).json()

    assert (seen["projection_spread"], seen["points"], seen["arrays"]) == (None, None, [])


@ON_POSTGRES
def test_a_closed_request_takes_no_more_contributions(
    buyer: Party, seller: Party, http: Parties, request_id: str, service: Service
) -> None:
    contribution_id = filled(seller, request_id)
    buyer.post(f"/v1/requests/{request_id}/close")
    before = footprint(service)
    path = f"/v1/contributions/{contribution_id}"
    for response in (
        put(seller, f"{path}/measures/0.5", POINTS + 1),
        seller.post(f"{path}/submit", json={}),
    ):
        assert refused(response, 409, "request-not-open")["received"] == "closed"
    late = http("seller").post(f"/v1/requests/{request_id}/contributions", json={"mode": "measure"})
    refused(late, 404, "not-found")
    assert footprint(service) == before
    assert seller.post(f"{path}/withdraw").json()["state"] == "withdrawn"


def test_the_buyer_sees_every_contribution_and_a_seller_their_own(
    buyer: Party, http: Parties, request_id: str
) -> None:
    ada, bob, eve = http("seller"), http("seller"), http("seller")
    drafted, sent = filled(ada, request_id), submitted(bob, request_id)
    path = f"/v1/requests/{request_id}/contributions"
    seen = {item["id"]: item for item in buyer.get(path).json()["items"]}
    assert seen.keys() == {drafted, sent}
    assert (seen[drafted]["arrays"], seen[drafted]["points"]) == ([], None)
    assert len(seen[sent]["arrays"]) == 3
    own = ada.get(path).json()["items"]
    assert [item["id"] for item in own] == [drafted]
    assert len(own[0]["arrays"]) == 3
    assert eve.get(path).json()["items"] == []


def test_a_stranger_s_contribution_does_not_exist(
    buyer: Party, seller: Party, http: Parties, request_id: str, service: Service
) -> None:
    path = f"/v1/contributions/{filled(seller, request_id)}"
    stranger = http("buyer", "seller")
    before = footprint(service)
    for response in (
        stranger.get(path),
        put(stranger, f"{path}/measures/0.5", POINTS),
        put(stranger, f"{path}/cost-blocks/0.5", POINTS),
        stranger.post(f"{path}/submit", json={}),
        stranger.post(f"{path}/decline", json={"reason": "x"}),
        stranger.post(f"{path}/withdraw"),
    ):
        refused(response, 404, "not-found")
    assert footprint(service) == before
    assert buyer.get(path).status_code == 200


@ON_POSTGRES
def test_the_buyer_cannot_change_a_contribution(
    seller: Party, http: Parties, service: Service
) -> None:
    both = http("buyer", "seller")
    path = f"/v1/contributions/{filled(seller, opened(both, audience='everyone'))}"
    before = footprint(service)
    for response in (
        put(both, f"{path}/measures/0.5", POINTS),
        both.post(f"{path}/submit", json={}),
        both.post(f"{path}/decline", json={"reason": "x"}),
        both.post(f"{path}/withdraw"),
    ):
        refused(response, 404, "not-found")
    assert footprint(service) == before


@ON_POSTGRES
def test_nobody_reads_a_seller_s_measure_over_http(
    buyer: Party, seller: Party, request_id: str
) -> None:
    path = f"/v1/contributions/{submitted(seller, request_id)}/measures/0.5"
    for party in (buyer, seller):
        assert party.get(path).status_code == 405


def test_a_contribution_created_twice_with_one_key_is_created_once(
    seller: Party, request_id: str
) -> None:
    path = f"/v1/requests/{request_id}/contributions"
    headers = {"Idempotency-Key": "once"}
    first = seller.post(path, json={"mode": "measure"}, headers=headers)
    again = seller.post(path, json={"mode": "measure"}, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    other = seller.post(path, json={"mode": "measure", "label": "x"}, headers=headers)
    refused(other, 422, "idempotency-key-reused")

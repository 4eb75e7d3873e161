"""The buyer's measure: who may read it, and in which formats."""

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    POINTS,
    Parties,
    begun,
    draft,
    footprint,
    npy,
    opened,
    put,
    reference,
    refused,
)
from tests.conftest import ON_SQLITE


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


def revealing(buyer: Party) -> str:
    return opened(buyer, audience="everyone", modes=["measure", "cost-block"], reveals_measure=True)


@ON_SQLITE
def test_a_draft_without_a_measure_has_none_to_read(buyer: Party) -> None:
    refused(buyer.get(f"/v1/requests/{draft(buyer)}/measure"), 404, "not-found")


def test_a_request_shows_what_its_measure_is(buyer: Party) -> None:
    request_id = draft(buyer)
    stored = put(buyer, f"/v1/requests/{request_id}/measure", POINTS).json()
    assert buyer.get(f"/v1/requests/{request_id}").json()["measure"] == stored


def test_of_many_first_uploads_at_once_one_is_first(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}/measure"
    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(lambda step: put(buyer, path, POINTS + step), range(6)))
    assert sorted(response.status_code for response in responses) == [200] * 5 + [201]
    kept = hashlib.sha256(buyer.get(path).content).hexdigest()
    assert kept in {response.json()["digest"] for response in responses}


@ON_SQLITE
def test_a_seller_reads_the_measure_only_while_contributing_by_cost_block(
    buyer: Party, http: Parties
) -> None:
    by_block, by_measure, silent = http("seller"), http("seller"), http("seller")
    request_id = revealing(buyer)
    path = f"/v1/requests/{request_id}/measure"
    refused(by_block.get(path), 404, "not-found")
    contribution_id = begun(by_block, request_id, "cost-block")
    begun(by_measure, request_id, "measure")
    assert by_block.get(path).content == npy(POINTS)
    refused(by_measure.get(path), 404, "not-found")
    refused(silent.get(path), 404, "not-found")
    by_block.post(f"/v1/contributions/{contribution_id}/withdraw")
    refused(by_block.get(path), 404, "not-found")


@ON_SQLITE
def test_a_seller_sees_the_digest_of_a_measure_only_where_they_may_read_it(
    buyer: Party, http: Parties
) -> None:
    """Whoever has γ, the isometry and the digest can test guesses of records and of t0."""
    digest = hashlib.sha256(npy(POINTS)).hexdigest()
    by_block, by_measure = http("seller"), http("seller")
    request_id, hidden_id = revealing(buyer), opened(buyer, audience="everyone")
    begun(by_block, request_id, "cost-block")
    begun(by_measure, request_id, "measure")
    begun(by_block, hidden_id, "measure")

    def seen(party: Party, role: str) -> dict[str, str | None]:
        for path in (request_id, hidden_id):
            response = party.get(f"/v1/requests/{path}")
            is_shown = response.json()["measure"]["digest"] is not None
            assert (digest in response.text + str(response.headers)) is is_shown
        page = party.get("/v1/requests", params={"role": role, "limit": 100}).json()["items"]
        return {
            each["id"]: party.get(f"/v1/requests/{each['id']}").json()["measure"]["digest"]
            for each in page
            if each["id"] in {request_id, hidden_id}
            and party.get(f"/v1/requests/{each['id']}").json() == each
        }

    assert seen(buyer, "buyer") == {request_id: digest, hidden_id: digest}
    assert seen(by_block, "seller") == {request_id: digest, hidden_id: None}
    assert seen(by_measure, "seller") == {request_id: None, hidden_id: None}


@ON_SQLITE
def test_a_seller_who_declined_no_longer_reads_the_measure(buyer: Party, http: Parties) -> None:
    seller = http("seller")
    request_id = revealing(buyer)
    contribution_id = begun(seller, request_id, "cost-block")
    declined = seller.post(
        f"/v1/contributions/{contribution_id}/decline", json={"reason": "No consent."}
    )
    assert declined.status_code == 200
    refused(seller.get(f"/v1/requests/{request_id}/measure"), 404, "not-found")


@ON_SQLITE
def test_a_measure_that_is_not_revealed_is_read_by_its_buyer_only(
    buyer: Party, http: Parties
) -> None:
    seller = http("seller")
    request_id = opened(buyer, audience="everyone")
    begun(seller, request_id)
    path = f"/v1/requests/{request_id}/measure"
    assert buyer.get(path).content == npy(POINTS)
    refused(seller.get(path), 404, "not-found")


@ON_SQLITE
def test_a_small_measure_is_read_as_json(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}/measure"
    put(buyer, path, POINTS.astype("<f4"))
    response = buyer.get(path, headers={"Accept": "application/json"})
    assert response.json() == {"points": POINTS.tolist()}
    assert response.headers["x-wassay-weights"] == "uniform"
    assert response.headers["etag"] != buyer.get(path).headers["etag"]


@ON_SQLITE
def test_a_large_measure_is_read_as_npy_only(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}/measure"
    put(buyer, path, np.zeros((30_000, 2)))
    body = refused(buyer.get(path, headers={"Accept": "application/json"}), 406, "not-acceptable")
    assert body["supported"] == ["application/x-npy"]
    response = buyer.get(path)
    assert np.load(io.BytesIO(response.content)).shape == (30_000, 2)


@ON_SQLITE
def test_a_reader_who_holds_the_measure_gets_no_body(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}/measure"
    put(buyer, path, POINTS)
    for accept in ("application/x-npy", "application/json"):
        held = buyer.get(path, headers={"Accept": accept})
        response = buyer.get(
            path, headers={"Accept": accept, "If-None-Match": held.headers["etag"]}
        )
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["etag"] == held.headers["etag"]


@ON_SQLITE
def test_anothers_upload_is_refused_before_its_body_is_read(
    buyer: Party, http: Parties, service: Service
) -> None:
    path = f"/v1/requests/{draft(buyer)}/measure"
    before = footprint(service)
    refused(put(http("buyer"), path, b"no array"), 404, "not-found")
    refused(put(http("seller"), path, POINTS), 403, "forbidden")
    assert footprint(service) == before


@ON_SQLITE
def test_labelled_points_come_with_their_classes_and_only_where_these_are_compared(
    buyer: Party,
) -> None:
    terms: dict[str, Any] = {"labelled": True, "modes": ["cost-block"], "reveals_measure": True}
    one_point = buyer.post(
        "/v1/references", json={"size": 1, "dimension": 2, "distribution": {"kind": "normal"}}
    ).json()["id"]
    request_id = draft(buyer, reference_id=one_point, **terms)
    path = f"/v1/requests/{request_id}/measure"
    assert refused(put(buyer, path, POINTS), 422, "wrong-shape")["expected"] == 3
    assert put(buyer, path, np.column_stack([POINTS, [0, 1, 0]])).status_code == 201
    for changed in (
        {"modes": ["measure", "cost-block"]},
        {"order": 1},
        {"reference_id": reference(buyer)},
        {"labelled": False, "class_names": ["ant"]},
    ):
        body = {"title": "Two kinds", "reference_id": one_point, **terms, **changed}
        refused(buyer.post("/v1/requests", json=body), 422, "labels-not-possible")
    named = {"title": "Twice", "reference_id": one_point, **terms, "class_names": ["ant", " ant"]}
    refused(buyer.post("/v1/requests", json=named), 422, "invalid")

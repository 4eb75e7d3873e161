"""The arrays of a contribution: one for each s, all of the same points."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    COSTS,
    POINTS,
    Parties,
    begun,
    footprint,
    npy,
    opened,
    put,
    refused,
)
from tests.conftest import ON_SQLITE


@pytest.fixture
def seller(http: Parties) -> Party:
    return http("seller")


@pytest.fixture
def by_measure(http: Parties, seller: Party) -> str:
    """The path of a draft in mode `measure`; the reference has 2 dimensions."""
    return f"/v1/contributions/{begun(seller, opened(http('buyer'), audience='everyone'))}"


@pytest.fixture
def by_block(http: Parties, seller: Party) -> str:
    """The path of a draft in mode `cost-block`; the buyer's measure has 3 points."""
    request_id = opened(
        http("buyer"), audience="everyone", modes=["cost-block"], reveals_measure=True
    )
    return f"/v1/contributions/{begun(seller, request_id, 'cost-block')}"


@ON_SQLITE
def test_an_array_is_stored_for_its_s(seller: Party, by_measure: str, service: Service) -> None:
    response = put(seller, f"{by_measure}/measures/0.5", POINTS)
    digest = hashlib.sha256(npy(POINTS)).hexdigest()
    assert response.status_code == 201
    assert response.headers["etag"] == f'"{digest}"'
    body = response.json()
    assert (body["s"], body["digest"], body["rows"], body["columns"]) == (0.5, digest, 3, 2)
    assert seller.get(by_measure).json()["arrays"] == [body]
    kept = service.settings.data_folder / "arrays" / "sha256" / digest[:2] / digest[2:]
    assert kept.read_bytes() == npy(POINTS)


def test_an_s_is_a_number_however_it_is_written(seller: Party, by_measure: str) -> None:
    statuses = [
        put(seller, f"{by_measure}/measures/{s}", POINTS).status_code
        for s in ("0.5", "0.50", "5e-1")
    ]
    assert statuses == [201, 200, 200]


@ON_SQLITE
def test_an_unknown_s_is_refused_with_the_sweep(
    seller: Party, by_measure: str, service: Service
) -> None:
    before = footprint(service)
    for s in ("0.3", "0", "1", "nan", "inf", "half", "0.2500000001", "0.2_5", "+0.25"):
        response = put(seller, f"{by_measure}/measures/{s}", POINTS)
        body = refused(response, 404, "unknown-sweep-value")
        assert (body["expected"], body["received"]) == ([0.25, 0.5, 0.75], s)
    assert footprint(service) == before


@ON_SQLITE
def test_a_draft_s_array_is_replaced(seller: Party, by_measure: str) -> None:
    path = f"{by_measure}/measures/0.25"
    first, same, other = (put(seller, path, POINTS + step) for step in (0, 0, 1))
    assert [response.status_code for response in (first, same, other)] == [201, 200, 200]
    assert same.json() == first.json()
    assert seller.get(by_measure).json()["arrays"] == [other.json()]


def test_of_many_uploads_of_one_s_at_once_one_is_first(seller: Party, by_measure: str) -> None:
    path = f"{by_measure}/measures/0.5"
    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(lambda step: put(seller, path, POINTS + step), range(6)))
    assert sorted(response.status_code for response in responses) == [200] * 5 + [201]
    assert len(seller.get(by_measure).json()["arrays"]) == 1


def test_concurrent_uploads_for_different_s_have_equally_many_points(
    seller: Party, by_measure: str
) -> None:
    with ThreadPoolExecutor(3) as pool:
        responses = list(
            pool.map(
                lambda s, rows: put(seller, f"{by_measure}/measures/{s}", POINTS[:rows]),
                (0.25, 0.5, 0.75),
                (1, 2, 3),
            )
        )
    assert sorted(response.status_code for response in responses) == [201, 422, 422]


@ON_SQLITE
def test_the_points_are_as_many_at_every_s(
    seller: Party, by_measure: str, service: Service
) -> None:
    put(seller, f"{by_measure}/measures/0.25", POINTS)
    before = footprint(service)
    response = put(seller, f"{by_measure}/measures/0.5", POINTS[:2])
    body = refused(response, 422, "wrong-shape")
    assert (body["expected"], body["received"]) == (3, 2)
    assert footprint(service) == before
    alone = put(seller, f"{by_measure}/measures/0.25", POINTS[:2])
    assert alone.status_code == 200


@ON_SQLITE
def test_a_measure_has_the_dimension_of_the_reference(
    seller: Party, by_measure: str, service: Service
) -> None:
    before = footprint(service)
    response = put(seller, f"{by_measure}/measures/0.5", np.zeros((3, 4)))
    body = refused(response, 422, "wrong-shape")
    assert (body["expected"], body["received"]) == (2, 4)
    assert "if the request is labelled, one for the class number" in body["detail"]
    assert footprint(service) == before


@ON_SQLITE
def test_a_cost_block_has_a_column_for_each_of_the_buyer_s_points(
    seller: Party, by_block: str, service: Service
) -> None:
    before = footprint(service)
    response = put(seller, f"{by_block}/cost-blocks/0.5", COSTS[:, :2])
    body = refused(response, 422, "wrong-shape")
    assert (body["expected"], body["received"]) == (3, 2)
    assert footprint(service) == before
    assert put(seller, f"{by_block}/cost-blocks/0.5", COSTS).status_code == 201


@ON_SQLITE
def test_a_cost_is_not_negative(seller: Party, by_block: str, service: Service) -> None:
    block = COSTS.copy()
    block[1, 2] = -1e-300
    before = footprint(service)
    body = refused(put(seller, f"{by_block}/cost-blocks/0.5", block), 422, "invalid-entry")
    assert (body["index"], body["received"]) == ([1, 2], "-1e-300")
    assert footprint(service) == before


@ON_SQLITE
def test_a_cost_is_not_so_large_that_scores_would_overflow(
    seller: Party, by_block: str, service: Service
) -> None:
    block = COSTS.copy()
    block[0, 1] = 1e200
    before = footprint(service)
    body = refused(put(seller, f"{by_block}/cost-blocks/0.5", block), 422, "invalid-entry")
    assert (body["index"], body["received"]) == ([0, 1], "1e+200")
    assert "1e+150" in body["detail"]
    assert footprint(service) == before


@ON_SQLITE
def test_a_cost_block_may_come_as_json_with_weights(seller: Party, by_block: str) -> None:
    content = json.dumps({"costs": COSTS.tolist(), "weights": [0.25, 0.75]}).encode()
    response = put(seller, f"{by_block}/cost-blocks/0.5", content, media_type="application/json")
    assert response.status_code == 201
    body = response.json()
    assert (body["rows"], body["columns"], body["weighted"]) == (2, 3, True)


@ON_SQLITE
def test_a_contribution_keeps_its_mode(
    seller: Party, by_measure: str, by_block: str, service: Service
) -> None:
    before = footprint(service)
    block = refused(put(seller, f"{by_measure}/cost-blocks/0.5", COSTS), 409, "wrong-mode")
    assert f"{by_measure}/measures/" in block["detail"]
    measure = refused(put(seller, f"{by_block}/measures/0.5", POINTS), 409, "wrong-mode")
    assert f"{by_block}/cost-blocks/" in measure["detail"]
    assert footprint(service) == before


@ON_SQLITE
def test_hostile_bytes_leave_a_contribution_unchanged(
    seller: Party, by_measure: str, service: Service
) -> None:
    put(seller, f"{by_measure}/measures/0.5", POINTS)
    before = footprint(service)
    worse = POINTS.copy()
    worse[2, 1] = np.nan
    refused(put(seller, f"{by_measure}/measures/0.5", npy(POINTS) + b"x"), 422, "malformed-array")
    body = refused(put(seller, f"{by_measure}/measures/0.5", worse), 422, "invalid-entry")
    assert body["index"] == [2, 1]
    assert footprint(service) == before

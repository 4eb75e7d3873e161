"""A POST that is sent twice with one Idempotency-Key does its work once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from app.http.models import IdempotentCall
from tests.app.conftest import Party, Service, problem

Http = Callable[..., Party]

NEW: dict[str, Any] = {"size": 1, "dimension": 1, "distribution": {"kind": "constant"}}


def post(party: Party, key: str, body: dict[str, Any] = NEW) -> httpx.Response:
    return party.post("/v1/references", json=body, headers={"Idempotency-Key": key})


def count(party: Party) -> int:
    return len(party.get("/v1/references").json()["items"])


def test_a_repeated_call_gets_the_first_response(http: Http) -> None:
    buyer = http("buyer")
    first, again = post(buyer, "k"), post(buyer, "k")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["location"] == first.headers["location"]
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert count(buyer) == 1


def test_an_entity_tag_is_replayed_too(http: Http) -> None:
    seller = http("seller")
    body = {"title": "Digits", "dimension": 1, "points": 1}
    first, again = (
        seller.post("/v1/listings", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2)
    )
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["idempotent-replayed"] == "true"


def test_the_same_key_with_another_body_is_refused(http: Http) -> None:
    buyer = http("buyer")
    post(buyer, "k")
    answer = post(buyer, "k", NEW | {"size": 2})
    assert problem(answer) == (422, "idempotency-key-reused")
    assert count(buyer) == 1


def test_a_key_is_of_one_account_and_one_route(http: Http) -> None:
    ada, eve = http("buyer", "seller"), http("buyer")
    references = {post(ada, "k").json()["id"], post(eve, "k").json()["id"]}
    assert len(references) == 2
    listing = {"title": "Digits", "dimension": 1, "points": 1}
    other_route = ada.post("/v1/listings", json=listing, headers={"Idempotency-Key": "k"})
    assert other_route.status_code == 201


def test_without_a_key_every_call_creates_an_object(http: Http) -> None:
    buyer = http("buyer")
    ids = {buyer.post("/v1/references", json=NEW).json()["id"] for _ in range(2)}
    assert len(ids) == 2


def test_a_refused_call_does_not_use_its_key_up(http: Http) -> None:
    buyer = http("buyer")
    assert post(buyer, "k", NEW | {"size": 10**6}).status_code == 422
    assert post(buyer, "k").status_code == 201


def test_calls_at_the_same_time_do_the_work_once(http: Http) -> None:
    buyer = http("buyer")
    together = threading.Barrier(8)

    def call(_number: int) -> httpx.Response:
        together.wait()
        return post(buyer, "k")

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(call, range(8)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    assert count(buyer) == 1


def test_a_call_waits_for_the_first_one_and_does_the_work_itself_when_that_fails(
    http: Http, service: Service
) -> None:
    buyer = http("buyer")
    with ThreadPoolExecutor(1) as threads:
        with pytest.raises(RuntimeError), service.database.transaction() as session:
            session.add(
                IdempotentCall(
                    account_id=buyer.account_id,
                    method="POST",
                    route="/v1/references",
                    key="k",
                    fingerprint="of another call",
                )
            )
            session.flush()
            waiting = threads.submit(post, buyer, "k")
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.5)
            raise RuntimeError("the first call fails")
        assert waiting.result(timeout=60).status_code == 201


@pytest.mark.parametrize("key", ["k" * 256, "two words", "", "ta\tb"])
def test_an_invalid_key_is_refused(http: Http, key: str) -> None:
    buyer = http("buyer")
    answer = post(buyer, key)
    assert problem(answer) == (422, "invalid")
    assert count(buyer) == 0

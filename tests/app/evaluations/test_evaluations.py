"""Waiting for an evaluation, and cancelling it. No worker runs."""

import re
from collections.abc import Callable

from tests.app.conftest import Party
from tests.app.evaluations.market import data, evaluate, market
from tests.app.requests.market import refused
from tests.conftest import ON_POSTGRES

HELD = data(10, 12)


@ON_POSTGRES
def test_a_waiting_evaluation_reports_that_no_worker_runs(http: Callable[..., Party]) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure", "measure"])

    waiting = buyer.get(f"/v1/evaluations/{evaluate(buyer, request_id)}")

    assert waiting.json()["state"] == "waiting"
    assert waiting.json()["reason"].startswith("No worker is running")
    assert waiting.headers["retry-after"] == "1"


@ON_POSTGRES
def test_a_used_contribution_cannot_be_withdrawn(http: Callable[..., Party]) -> None:
    buyer, sellers, request_id, answers = market(http, HELD, ["measure", "measure"])
    evaluate(buyer, request_id, contribution_ids=[answers[0]])

    used = sellers[0].post(f"/v1/contributions/{answers[0]}/withdraw")
    unused = sellers[1].post(f"/v1/contributions/{answers[1]}/withdraw")

    refused(used, 409, "contribution-used")
    assert unused.json()["state"] == "withdrawn"


def test_the_same_idempotency_key_asks_once(http: Callable[..., Party]) -> None:
    buyer, _, request_id, answers = market(http, HELD, ["measure", "measure"])
    path, key = f"/v1/requests/{request_id}/evaluations", {"Idempotency-Key": "once"}

    first = buyer.post(path, json={}, headers=key)
    again = buyer.post(path, json={}, headers=key)
    other = buyer.post(path, json={"contribution_ids": answers}, headers=key)

    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    refused(other, 422, "idempotency-key-reused")
    assert len(buyer.get(path).json()["items"]) == 1


def test_cancelling_a_waiting_evaluation_ends_it_and_again_changes_nothing(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure", "measure"])
    evaluation_id = evaluate(buyer, request_id)

    first = buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")
    again = buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    assert first.json()["state"] == "cancelled"
    assert first.json()["reason"] == "The buyer cancelled the evaluation."
    assert again.json() == first.json()
    response = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    refused(response, 409, "evaluation-without-result")


def test_cancelling_a_request_cancels_its_evaluations(http: Callable[..., Party]) -> None:
    buyer, sellers, request_id, _ = market(http, HELD, ["measure", "measure"])
    evaluations = [evaluate(buyer, request_id), evaluate(buyer, request_id)]

    foreign = sellers[0].post(f"/v1/requests/{request_id}/cancel")
    cancelled = buyer.post(f"/v1/requests/{request_id}/cancel")

    refused(foreign, 403, "forbidden")
    refused(http("buyer").post(f"/v1/requests/{request_id}/cancel"), 404, "not-found")
    assert cancelled.json()["state"] == "cancelled"
    assert re.fullmatch(r'"[0-9a-f]+"', cancelled.headers["etag"])
    for evaluation_id in evaluations:
        evaluation = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
        assert (evaluation["state"], evaluation["reason"]) == (
            "cancelled",
            "The request was cancelled.",
        )


def test_an_evaluation_exists_for_its_buyer_and_for_sellers_who_take_part(
    http: Callable[..., Party],
) -> None:
    buyer, sellers, request_id, answers = market(http, HELD, ["measure", "measure"])
    evaluation_id = evaluate(buyer, request_id, contribution_ids=[answers[0]])
    path, listed = f"/v1/evaluations/{evaluation_id}", f"/v1/requests/{request_id}/evaluations"

    assert sellers[0].get(path).json()["contribution_ids"] == [answers[0]]
    assert [item["id"] for item in sellers[0].get(listed).json()["items"]] == [evaluation_id]
    assert sellers[1].get(listed).json()["items"] == []
    refused(sellers[1].get(path), 404, "not-found")
    stranger = http("buyer", "seller")
    for response in (
        stranger.get(path),
        stranger.post(f"{path}/cancel"),
        stranger.get(f"{path}/result"),
        stranger.get(f"{path}/scores"),
        stranger.get(f"{path}/scores/{answers[0]}"),
        stranger.get(listed),
        stranger.post(listed, json={}),
    ):
        refused(response, 404, "not-found")
    refused(sellers[0].post(f"{path}/cancel"), 403, "forbidden")
    refused(buyer.get(f"{path}/result"), 409, "evaluation-not-finished")
    refused(buyer.get(f"{path}/scores"), 409, "evaluation-not-finished")

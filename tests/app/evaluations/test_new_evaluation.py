"""Asking for an evaluation: its contributions and weights, and what is refused. No worker runs."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import text

from tests.app.conftest import Party, Service
from tests.app.evaluations.market import ask, data, evaluate, market
from tests.app.requests.market import begun, draft, footprint, refused
from tests.conftest import ON_POSTGRES

HELD = data(10, 12)
TABLES = ("evaluations", "evaluated_contributions", "results", "scored_points")


@pytest.fixture
def unchanged(service: Service) -> Callable[[], Mapping[str, object]]:
    def look() -> Mapping[str, object]:
        with service.database.snapshot() as session:
            queue = "workflow_status"
            if service.database.engine.dialect.name == "postgresql":
                queue = f"dbos.{queue}"
            counts = {
                table: session.scalar(text(f"SELECT count(*) FROM {table}"))
                for table in (*TABLES, queue)
            }
        return {**footprint(service), **counts}

    return look


@ON_POSTGRES
def test_an_evaluation_without_contributions_is_refused_and_changes_nothing(
    http: Callable[..., Party], unchanged: Callable[[], Mapping[str, object]]
) -> None:
    buyer = http("buyer")
    request_id = ask(buyer, HELD, audience="everyone")
    begun(http("seller"), request_id)
    before = unchanged()

    response = buyer.post(f"/v1/requests/{request_id}/evaluations", json={})

    refused(response, 409, "no-contributions")
    assert unchanged() == before


@ON_POSTGRES
def test_a_draft_and_a_cancelled_request_cannot_be_evaluated_and_a_closed_one_can(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure", "measure"])
    drafted = draft(buyer)

    response = buyer.post(f"/v1/requests/{drafted}/evaluations", json={})
    assert refused(response, 409, "request-not-evaluable")["received"] == "draft"

    buyer.post(f"/v1/requests/{request_id}/close")
    evaluate(buyer, request_id)
    buyer.post(f"/v1/requests/{request_id}/cancel")
    response = buyer.post(f"/v1/requests/{request_id}/evaluations", json={})
    assert refused(response, 409, "request-not-evaluable")["received"] == "cancelled"


@ON_POSTGRES
def test_a_contribution_that_is_foreign_or_not_submitted_is_named(
    http: Callable[..., Party], unchanged: Callable[[], Mapping[str, object]]
) -> None:
    buyer, _, request_id, answers = market(http, HELD, ["measure", "measure"])
    _, _, _, others = market(http, HELD, ["measure", "measure"])
    _, _, own_other, own_others = market(http, HELD, ["measure", "measure"], buyer=buyer)
    open_request = ask(buyer, HELD, audience="everyone")
    unsubmitted = begun(http("seller"), open_request)
    before = unchanged()

    for request, named, status, slug in (
        (request_id, others[0], 404, "not-found"),
        (request_id, own_others[0], 404, "not-found"),
        (own_other, answers[0], 404, "not-found"),
        (request_id, "con_nothing", 404, "not-found"),
        (open_request, unsubmitted, 422, "contribution-not-submitted"),
    ):
        response = buyer.post(
            f"/v1/requests/{request}/evaluations", json={"contribution_ids": [named]}
        )
        assert named in refused(response, status, slug)["detail"]

    assert unchanged() == before


@ON_POSTGRES
def test_an_evaluation_uses_the_contributions_that_are_named_and_else_all(
    http: Callable[..., Party],
) -> None:
    buyer, _, request_id, answers = market(http, HELD, ["measure", "measure"])

    some = evaluate(buyer, request_id, contribution_ids=[answers[1]])
    everything = evaluate(buyer, request_id)

    assert buyer.get(f"/v1/evaluations/{some}").json()["contribution_ids"] == [answers[1]]
    assert buyer.get(f"/v1/evaluations/{everything}").json()["contribution_ids"] == answers


@ON_POSTGRES
def test_weights_of_sellers_are_those_of_the_evaluated_contributions(
    http: Callable[..., Party], unchanged: Callable[[], Mapping[str, object]]
) -> None:
    buyer, _, request_id, (a, b) = market(http, HELD, ["measure"] * 2)
    path = f"/v1/requests/{request_id}/evaluations"
    before = unchanged()
    for weights in ({a: 1}, {a: 1, b: 2, "con_unknown": 3}):
        sent = buyer.post(path, json={"seller_weights": weights})
        problem = refused(sent, 422, "seller-weights-incomplete")
        assert problem["expected"] == sorted((a, b))
        assert problem["received"] == sorted(weights)
    invalid: list[dict[str, Any]] = [
        {"seller_weights": {a: 1, b: 0}},
        {"seller_weights": {a: 1, b: True}},
        {"seller_weights": {a: 1, b: 0.9e-6}},
        {"seller_weights": {a: 1, b: 1}, "seller_weighting": "equal"},
        {"seller_weights": {}},
    ]
    for wrong in invalid:
        refused(buyer.post(path, json=wrong), 422, "invalid")
    assert unchanged() == before
    evaluate(buyer, request_id, contribution_ids=[a], seller_weights={a: 5})


@ON_POSTGRES
def test_other_weights_of_sellers_are_another_question(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, (a, b) = market(http, HELD, ["measure"] * 2)
    asked = [evaluate(buyer, request_id, seller_weights={a: n, b: 1}) for n in (1, 2, 2)]
    with service.database.snapshot() as session:
        rows = session.execute(text("SELECT id, inputs_digest FROM evaluations")).all()
    digests = {row.id: row.inputs_digest for row in rows}
    first, second, repeated = (digests[each] for each in asked)
    assert first != second == repeated

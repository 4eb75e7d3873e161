"""Buyers delete their measures, and sellers withdraw contributions, once nothing needs these."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app.database import now
from app.evaluations.models import ScoredPoints
from app.http.models import IdempotentCall
from app.requests.models import Request
from app.retention.cleanup import clean_up
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import Data, data, evaluate, market
from tests.app.requests.market import draft, invite, put, refused
from tests.app.requests.test_sealed_keys import BOX, sealed_draft, sealed_request
from tests.app.requests.test_sealed_keys import path as box_path
from tests.app.retention.held import holds
from wassay.receipts import verify


@dataclass
class Evaluated:
    """A request, its contributions, and an evaluation that has succeeded."""

    buyer: Party
    sellers: list[Party]
    request_id: str
    contribution_ids: list[str]
    evaluation_id: str
    digests: list[str]
    """The digests of the buyer's measure and of all arrays of the sellers."""


def evaluated(
    http: Callable[..., Party], service: Service, held: Data, modes: list[str] | None = None
) -> Evaluated:
    modes = modes or ["measure", "measure"]
    buyer, sellers, request_id, contribution_ids = market(
        http, held, modes, ["scores"] * len(modes), reveals_scores=True
    )
    evaluation_id = evaluate(buyer, request_id)
    jobs = Jobs(service).evaluations
    jobs.publish(evaluation_id, Jobs(service).computed(jobs, evaluation_id))
    receipt = verify(buyer.get(f"/v1/evaluations/{evaluation_id}/receipt").content).receipt
    digests = [each.digest for each in receipt.inputs]
    return Evaluated(buyer, sellers, request_id, contribution_ids, evaluation_id, digests)


def test_a_deleted_measure_leaves_its_digest_its_result_and_its_receipt_alone(
    http: Callable[..., Party], service: Service
) -> None:
    ours = evaluated(http, service, data(11, 12, seed=21))
    buyer, path = ours.buyer, f"/v1/requests/{ours.request_id}"
    kept = [f"/v1/evaluations/{ours.evaluation_id}/{each}" for each in ("result", "receipt")]
    before = [buyer.get(each).content for each in kept]
    ledger = buyer.get("/v1/disclosures").json()["items"]
    digest = buyer.get(path).json()["measure"]["digest"]
    buyer.post(f"{path}/close")

    answers = [buyer.delete(f"{path}/measure") for _ in range(2)]

    assert [each.status_code for each in answers] == [204, 204]
    assert not holds(service, digest)
    refused(buyer.get(f"{path}/measure"), 404, "not-found")
    measure = buyer.get(path).json()["measure"]
    assert measure["digest"] == digest
    assert measure["deleted_at"] is not None
    assert [buyer.get(each).content for each in kept] == before
    assert buyer.get("/v1/disclosures").json()["items"] == ledger
    refused(buyer.get(f"/v1/evaluations/{ours.evaluation_id}/scores"), 409, "no-scores")
    refused(buyer.post(f"{path}/evaluations", json={}), 409, "request-not-evaluable")
    seller, contribution_id = ours.sellers[0], ours.contribution_ids[0]
    scores = seller.get(f"/v1/evaluations/{ours.evaluation_id}/scores/{contribution_id}")
    assert len(scores.json()["values"]) == 11
    with service.database.snapshot() as session:
        of_evaluation = ScoredPoints.evaluation_id == ours.evaluation_id
        rows = session.scalars(select(ScoredPoints.contribution_id).where(of_evaluation))
        assert set(rows) == set(ours.contribution_ids)  # and none of the buyer's
    assert buyer.get(f"/v1/evaluations/{ours.evaluation_id}/report").status_code == 200


def test_the_sealed_keys_of_a_request_are_deleted_with_its_measure(
    http: Callable[..., Party],
) -> None:
    buyer, seller = http("buyer"), http("seller")
    request_id = sealed_request(buyer)
    invite(buyer, request_id, seller)
    assert buyer.put(box_path(request_id, seller), json={"box": BOX}).status_code == 200
    assert seller.get(box_path(request_id, seller)).json()["box"] == BOX
    buyer.post(f"/v1/requests/{request_id}/close")

    assert buyer.delete(f"/v1/requests/{request_id}/measure").status_code == 204

    for party in (buyer, seller):
        refused(party.get(box_path(request_id, seller)), 404, "not-found")


def test_the_sealed_keys_of_a_draft_without_a_measure_are_deleted_after_the_retention(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, seller = http("buyer"), http("seller")
    request_id = sealed_draft(buyer)
    invite(buyer, request_id, seller)
    assert buyer.put(box_path(request_id, seller), json={"box": BOX}).status_code == 200
    with service.database.transaction() as session:
        then = now() - timedelta(days=31)
        session.execute(update(Request).where(Request.id == request_id).values(updated_at=then))

    clean_up(service.database, service.app.state.array_store, timedelta(days=30))

    refused(buyer.get(box_path(request_id, seller)), 404, "not-found")


def test_a_measure_in_use_is_not_deleted(http: Callable[..., Party], service: Service) -> None:
    buyer, _, request_id, _ = market(http, data(11, seed=22), ["measure"])
    path = f"/v1/requests/{request_id}"
    stranger = http("buyer")
    refused(stranger.delete(f"{path}/measure"), 404, "not-found")
    refused(buyer.delete(f"{path}/measure"), 409, "request-still-open")
    evaluation_id = evaluate(buyer, request_id)
    buyer.post(f"{path}/close")

    unfinished = refused(buyer.delete(f"{path}/measure"), 409, "evaluation-unfinished")

    assert unfinished["received"] == [evaluation_id]
    digest = buyer.get(path).json()["measure"]["digest"]
    assert holds(service, digest)
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")
    assert buyer.delete(f"{path}/measure").status_code == 204
    assert not holds(service, digest)


def test_a_drafts_measure_can_be_deleted_and_uploaded_again(
    http: Callable[..., Party], service: Service
) -> None:
    buyer = http("buyer")
    request_id = draft(buyer)
    path = f"/v1/requests/{request_id}/measure"
    points = data(5, seed=23).buyer.points[:, :2]
    digest = put(buyer, path, points).json()["digest"]

    assert buyer.delete(path).status_code == 204
    assert not holds(service, digest)
    assert put(buyer, path, points).status_code == 201
    assert holds(service, digest)


def test_a_used_contribution_is_withdrawn_once_its_request_has_ended(
    http: Callable[..., Party], service: Service
) -> None:
    ours = evaluated(http, service, data(11, 12, seed=24), ["measure", "cost-block"])
    seller, contribution_id = ours.sellers[0], ours.contribution_ids[0]
    path = f"/v1/contributions/{contribution_id}"
    refused(seller.post(f"{path}/withdraw"), 409, "contribution-used")
    running = evaluate(ours.buyer, ours.request_id)
    ours.buyer.post(f"/v1/requests/{ours.request_id}/close")
    refused(seller.post(f"{path}/withdraw"), 409, "contribution-used")
    ours.buyer.post(f"/v1/evaluations/{running}/cancel")
    own = [each["digest"] for each in seller.get(path).json()["arrays"]]
    receipt = seller.get(f"/v1/evaluations/{ours.evaluation_id}/receipt").content
    result = ours.buyer.get(f"/v1/evaluations/{ours.evaluation_id}/result").content

    answers = [seller.post(f"{path}/withdraw") for _ in range(2)]

    assert [each.json()["state"] for each in answers] == ["withdrawn"] * 2
    arrays = answers[0].json()["arrays"]
    assert [each["digest"] for each in arrays] == own
    assert all(each["deleted_at"] for each in arrays)
    assert not any(holds(service, digest) for digest in own)
    assert all(holds(service, digest) for digest in set(ours.digests) - set(own))
    read = f"/v1/evaluations/{ours.evaluation_id}"
    assert seller.get(f"{read}/receipt").content == receipt
    assert ours.buyer.get(f"{read}/result").content == result
    for party in (seller, ours.buyer):
        refused(party.get(f"{read}/scores/{contribution_id}"), 409, "no-scores")
    assert ours.buyer.get(f"{read}/report").status_code == 200
    named = {"contribution_ids": [contribution_id]}
    again = ours.buyer.post(f"/v1/requests/{ours.request_id}/evaluations", json=named)
    refused(again, 422, "contribution-not-submitted")


@pytest.mark.parametrize("end", ["close", "cancel", "expire", "draft"])
def test_what_a_request_held_is_deleted_after_the_retention(
    end: str, http: Callable[..., Party], service: Service
) -> None:
    if end == "draft":
        buyer = http("buyer")
        request_id = draft(buyer)
        points = data(5, seed=25).buyer.points[:, :2]
        digests = [put(buyer, f"/v1/requests/{request_id}/measure", points).json()["digest"]]
    else:
        seed = 26 + len(end)
        buyer, sellers, request_id, (answered, _) = market(
            http, data(5, 6, seed=seed), ["measure", "measure"]
        )
        arrays = sellers[0].get(f"/v1/contributions/{answered}").json()["arrays"]
        measure = buyer.get(f"/v1/requests/{request_id}").json()["measure"]
        digests = [each["digest"] for each in (*arrays, measure)]
    if end in {"close", "cancel"}:
        buyer.post(f"/v1/requests/{request_id}/{end}")

    def age(days: int) -> None:
        then = now() - timedelta(days=days)
        times = {"close": "ended_at", "cancel": "ended_at", "expire": "expires_at"}
        with service.database.transaction() as session:
            session.execute(
                update(Request)
                .where(Request.id == request_id)
                .values({"updated_at": then, times.get(end, "updated_at"): then})
            )

    def left(retention: timedelta | None) -> list[bool]:
        clean_up(service.database, service.app.state.array_store, retention)
        return [holds(service, digest) for digest in digests]

    age(29)
    assert all(left(timedelta(days=30)))
    age(31)
    assert all(left(None))
    assert not any(left(timedelta(days=30)))


def test_responses_to_repeated_calls_are_forgotten_after_two_days(
    http: Callable[..., Party], service: Service
) -> None:
    buyer = http("buyer")
    body = {"size": 3, "dimension": 2, "distribution": {"kind": "normal"}}

    def post() -> str:
        made = buyer.post("/v1/references", json=body, headers={"Idempotency-Key": "once"})
        return str(made.json()["id"])

    first = post()
    clean_up(service.database, service.app.state.array_store, None)
    assert post() == first
    with service.database.transaction() as session:
        session.execute(
            update(IdempotentCall)
            .where(IdempotentCall.account_id == buyer.account_id)
            .values(created_at=now() - timedelta(days=3))
        )
    clean_up(service.database, service.app.state.array_store, None)
    assert post() != first

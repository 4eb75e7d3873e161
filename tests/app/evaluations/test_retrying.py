"""Evaluations that failed because of the service are computed again. No worker runs."""

from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import select, update

from app.jobs.library_tables import workflows
from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import CUT_SECONDS
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market, result
from tests.app.requests.market import refused
from tests.conftest import ON_POSTGRES

Http = Callable[..., Party]

LOST = {"type": "/problems/worker-lost", "title": "Lost", "status": 500, "detail": "It is lost."}
UNSOLVABLE = {"type": "/problems/not-solvable", "title": "No", "status": 422, "detail": "No."}
LONG = partial(data, 600, 700, 800, m=600, d=5)


@pytest.fixture(scope="module")
def jobs(service: Service) -> Jobs:
    return Jobs(service, cut_seconds=CUT_SECONDS)


def end_jobs(service: Service, evaluation_id: str) -> None:
    """Record the end of an evaluation's jobs, as the job library does."""
    with service.database.transaction() as session:
        jobs = workflows(session.connection().dialect)
        own = jobs.c.workflow_uuid.startswith(evaluation_id, autoescape=True)
        session.execute(update(jobs).where(own).values(status="SUCCESS"))


def enqueued(service: Service, evaluation_id: str) -> set[str]:
    with service.database.snapshot() as session:
        jobs = workflows(session.connection().dialect).c
        own = jobs.workflow_uuid.startswith(evaluation_id, autoescape=True)
        return set(
            session.scalars(select(jobs.workflow_uuid).where(own, jobs.status == "ENQUEUED"))
        )


@ON_POSTGRES
def test_a_failed_evaluation_is_computed_again_and_counts_once(
    http: Http, service: Service, jobs: Jobs
) -> None:
    buyer, (seller,), request_id, _ = market(http, data(10), ["measure"])
    caps = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.put(caps, json={"evaluations": 1}).is_success
    evaluation_id = evaluate(buyer, request_id)
    assert jobs.evaluations.prepare(evaluation_id)
    jobs.evaluations.fail(evaluation_id, LOST, 1)
    end_jobs(service, evaluation_id)

    retried = http("admin").post(f"/v1/evaluations/{evaluation_id}/retry")

    assert (retried.json()["state"], retried.json()["contribution_ids"]) == ("waiting", [])
    assert enqueued(service, evaluation_id) == {evaluation_id}
    waiting = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert (waiting["attempts"], waiting["problem"]) == (0, None)
    jobs.evaluations.publish(evaluation_id, jobs.computed(jobs.evaluations, evaluation_id))
    assert len(result(buyer, evaluation_id)["sellers"]) == 1


def test_the_chunks_of_a_retried_evaluation_are_enqueued_again(
    http: Http, service: Service, jobs: Jobs
) -> None:
    buyer, _, request_id, _ = market(http, LONG(), ["measure"] * 3)
    evaluation_id = evaluate(buyer, request_id)
    jobs.evaluations.publish(evaluation_id, jobs.computed(jobs.evaluations, evaluation_id))
    chunk = jobs.chunks_of(evaluation_id)[0].id
    assert jobs.chunks.prepare(chunk)
    jobs.chunks.fail(chunk, LOST, 1)
    end_jobs(service, evaluation_id)

    assert http("admin").post(f"/v1/evaluations/{evaluation_id}/retry").is_success

    assert enqueued(service, evaluation_id) == {evaluation_id}
    jobs.evaluations.publish(evaluation_id, jobs.computed(jobs.evaluations, evaluation_id))
    assert chunk in enqueued(service, evaluation_id)
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")


@ON_POSTGRES
def test_what_did_not_fail_because_of_the_service_or_lost_its_inputs_is_not_retried(
    http: Http, service: Service, jobs: Jobs
) -> None:
    buyer, (seller,), request_id, (contribution_id,) = market(http, data(10), ["measure"])
    waiting, unsolvable, stripped, ending = (evaluate(buyer, request_id) for _ in range(4))
    jobs.evaluations.fail(unsolvable, UNSOLVABLE, None)
    jobs.evaluations.fail(ending, LOST, None)
    admin = http("admin")

    def refusal(evaluation_id: str) -> str:
        response = admin.post(f"/v1/evaluations/{evaluation_id}/retry")
        return str(refused(response, 409, "evaluation-not-retryable")["detail"])

    assert "is waiting" in refusal(waiting)
    assert "because of its inputs" in refusal(unsolvable)
    assert "has not ended completely" in refusal(ending)
    for each in (stripped, waiting, ending):
        end_jobs(service, each)
    jobs.evaluations.fail(stripped, LOST, None)
    jobs.evaluations.fail(waiting, LOST, None)
    assert seller.post(f"/v1/contributions/{contribution_id}/withdraw").is_success
    assert "no longer submitted" in refusal(stripped)
    refused(admin.post("/v1/evaluations/evl_nobodys/retry"), 404, "not-found")
    assert buyer.post(f"/v1/evaluations/{ending}/retry").status_code == 403

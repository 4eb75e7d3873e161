"""A failed evaluation: what it discloses to whom, and how it counts for caps. No worker runs."""

import threading
from collections.abc import Callable

import numpy as np
import pytest

from app.evaluations.computing.compute import as_problems
from app.evaluations.computing.process_messages import EvaluationTask
from app.evaluations.jobs.outcomes import fail
from app.evaluations.problems import NotCertified
from app.evaluations.repository import locked
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from tests.app.evaluations.test_differential_privacy import held
from tests.app.evaluations.test_differential_privacy import market as noised_market
from tests.app.requests.market import refused
from tests.conftest import ON_POSTGRES
from wassay import transport

Http = Callable[..., Party]

LOST = {"type": "/problems/worker-lost", "title": "Lost", "status": 500, "detail": "It is lost."}


@pytest.fixture(scope="module")
def jobs(service: Service) -> Jobs:
    return Jobs(service)


def failed(jobs: Jobs, buyer: Party, request_id: str) -> str:
    """Make an evaluation that has begun and failed."""
    evaluation_id = evaluate(buyer, request_id)
    assert jobs.evaluations.prepare(evaluation_id)
    jobs.evaluations.fail(evaluation_id, LOST, 1)
    return evaluation_id


@ON_POSTGRES
def test_the_interval_of_an_uncertified_distance_is_not_disclosed(http: Http, jobs: Jobs) -> None:
    buyer, (seller,), request_id, (contribution_id,) = market(http, data(10), ["measure"])
    evaluation_id = evaluate(buyer, request_id)
    begun = jobs.evaluations.prepare(evaluation_id)
    assert begun is not None
    task = EvaluationTask.model_validate(begun.arguments["evaluation"])
    costs, even = np.random.default_rng(0).uniform(size=(300, 300)), np.full(300, 1 / 300)

    with pytest.raises(NotCertified) as caught, as_problems(task, 0.5):
        transport.solve(costs, even, even, max_iterations=1)
    jobs.evaluations.fail(evaluation_id, caught.value.body(), 1)

    unproven = caught.value.__cause__
    assert isinstance(unproven, transport.NotCertified)  # for the operator's log
    path = f"/v1/evaluations/{evaluation_id}"
    own = buyer.get(path).json()
    assert own["problem"]["type"] == "/problems/not-certified"
    assert own["reason"] == own["problem"]["detail"]
    assert "s = 0.5" in own["reason"]
    texts = [
        buyer.get(path).text,
        buyer.get(f"{path}/result").text,
        seller.get(path).text,
        seller.get(f"{path}/scores/{contribution_id}").text,
        seller.get(f"{path}/receipt").text,
    ]
    certificate = unproven.certificate
    for number in (certificate.primal, certificate.dual, certificate.gap):
        assert not any(f"{number:.4g}" in text or repr(number) in text for text in texts)
    theirs = seller.get(path).json()
    assert (theirs["state"], theirs["problem"]) == ("failed", None)
    assert not any("0.5" in text for text in texts[3:])


@ON_POSTGRES
def test_an_evaluation_that_failed_has_cost_its_epsilon(http: Http, jobs: Jobs) -> None:
    buyer, (seller,), request_id, _ = noised_market(http, held(10), epsilon=0.1)
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.put(path, json={"epsilon": 0.1, "evaluations": 1}).is_success
    unbegun = evaluate(buyer, request_id)
    buyer.post(f"/v1/evaluations/{unbegun}/cancel")

    failed(jobs, buyer, request_id)

    again = buyer.post(f"/v1/requests/{request_id}/evaluations", json={})
    assert refused(again, 409, "cap-exceeded")["cap"] == "evaluations"
    assert seller.put(path, json={"epsilon": 0.1}).is_success
    again = buyer.post(f"/v1/requests/{request_id}/evaluations", json={})
    refusal = refused(again, 409, "cap-exceeded")
    assert (refusal["cap"], refusal["left"]) == ("epsilon", 0)


@ON_POSTGRES
def test_an_evaluation_that_was_cancelled_after_it_began_counts(http: Http, jobs: Jobs) -> None:
    buyer, (seller,), request_id, _ = market(http, data(10), ["measure"])
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.put(path, json={"evaluations": 1}).is_success
    evaluation_id = evaluate(buyer, request_id)
    assert jobs.evaluations.prepare(evaluation_id)

    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    again = buyer.post(f"/v1/requests/{request_id}/evaluations", json={})
    refused(again, 409, "cap-exceeded")


def withdrawn(seller: Party, contribution_id: str) -> bool:
    response = seller.post(f"/v1/contributions/{contribution_id}/withdraw")
    if response.is_success:
        return True
    refused(response, 409, "contribution-used")
    return False


@ON_POSTGRES
def test_a_contribution_used_only_by_evaluations_without_a_result_can_be_withdrawn(
    http: Http, jobs: Jobs
) -> None:
    buyer, sellers, request_id, answers = market(http, data(10, 11, 12), ["measure"] * 3)
    alone = {name: evaluate(buyer, request_id, contribution_ids=[name]) for name in answers}
    both = evaluate(buyer, request_id, contribution_ids=answers[:2])
    assert jobs.evaluations.prepare(both)

    jobs.evaluations.fail(alone[answers[0]], LOST, None)
    assert not withdrawn(sellers[0], answers[0])  # the evaluation of both runs
    jobs.evaluations.fail(both, LOST, 1)
    buyer.post(f"/v1/evaluations/{alone[answers[2]]}/cancel")

    assert [withdrawn(*each) for each in zip(sellers, answers, strict=True)] == [True, False, True]
    buyer.post(f"/v1/requests/{request_id}/cancel")
    assert withdrawn(sellers[1], answers[1])


@ON_POSTGRES
def test_the_contributions_of_a_published_result_stay_in_use_when_another_fails(
    http: Http, jobs: Jobs
) -> None:
    buyer, (seller,), request_id, (contribution_id,) = market(http, data(10), ["measure"])
    published, other = evaluate(buyer, request_id), evaluate(buyer, request_id)
    jobs.evaluations.publish(published, jobs.computed(jobs.evaluations, published))

    jobs.evaluations.fail(other, LOST, None)

    assert not withdrawn(seller, contribution_id)


def test_of_two_evaluations_that_fail_at_once_the_second_releases_the_contributions(
    http: Http, service: Service, jobs: Jobs
) -> None:
    buyer, (seller,), request_id, (contribution_id,) = market(http, data(10), ["measure"])
    one, other = evaluate(buyer, request_id), evaluate(buyer, request_id)
    second = threading.Thread(target=jobs.evaluations.fail, args=(other, LOST, None))

    with service.database.transaction() as session:
        evaluation = locked(session, one)
        assert evaluation is not None
        fail(session, evaluation, LOST)
        session.flush()
        second.start()
        second.join(0.3)
        assert second.is_alive(), "the second did not wait for the first"
    second.join()

    assert withdrawn(seller, contribution_id)

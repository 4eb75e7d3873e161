"""The estimated cost of an evaluation is that of the work that workers will do."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, text, update

from app.evaluations.computing.chunking import estimated_seconds
from app.evaluations.computing.compute import subproblems_of
from app.evaluations.computing.process_messages import StoreTask
from app.evaluations.evaluation_cost import SolveLimits, cost_of, require_affordable
from app.evaluations.jobs.task_builder import task_of
from app.evaluations.models import Evaluation
from app.evaluations.problems import EvaluationTooLarge
from app.evaluations.recent_speed import FEWEST, recent_seconds
from app.http.ids import new_id
from tests.app.conftest import Party, Service, new_parties, problem
from tests.app.evaluations.market import data, evaluate, market
from tests.conftest import ON_SQLITE
from wassay import models

pytestmark = ON_SQLITE
Http = Callable[..., Party]
ROOMY = SolveLimits(memory_bytes=2**33, seconds=3600.0)


@pytest.fixture(scope="module")
def evaluated(service: Service) -> Iterator[tuple[Party, str, str]]:
    with new_parties(service) as party:
        buyer, _, request_id, _ = market(party, data(20, 30, 40), ["measure"] * 3)
        yield buyer, request_id, evaluate(buyer, request_id)


def test_the_cost_is_that_of_the_problems_that_the_worker_solves(
    service: Service, evaluated: tuple[Party, str, str]
) -> None:
    _, _, evaluation_id = evaluated
    with service.database.snapshot() as session:
        evaluation = session.get_one(Evaluation, evaluation_id)
        cost = cost_of(session, evaluation, ROOMY)
        task = task_of(session, evaluation, StoreTask(folder="", bucket=None))
    planned = subproblems_of(task)
    points = {seller.contribution_id: seller.points for seller in task.sellers}
    seconds = estimated_seconds(
        planned,
        points,
        task.buyer.rows,
        task.dimension,
        one_coupling=task.order == 2 and task.reference_points == 1,
    )
    assert cost.problems == len(planned)
    assert cost.processor_seconds == pytest.approx(sum(seconds))
    assert cost.too_large is None


def test_the_cost_of_an_extension_leaves_out_what_the_evaluation_has_solved_by_default(
    service: Service, evaluated: tuple[Party, str, str]
) -> None:
    _, _, evaluation_id = evaluated
    with service.database.snapshot() as session, session.no_autoflush:
        evaluation = session.get_one(Evaluation, evaluation_id)
        task = task_of(session, evaluation, StoreTask(folder="", bucket=None))
        one, two, three = (seller.contribution_id for seller in task.sellers)
        asked = [[one, two, three], [two], [one, three], [three, two]]
        for leave_one_out, pairs in ((True, 0), (False, 2)):
            evaluation.extends, evaluation.coalitions = evaluation_id, asked
            evaluation.leave_one_out = leave_one_out
            terms = {"extends": evaluation_id, "coalitions": asked, "leave_one_out": leave_one_out}
            planned = subproblems_of(task.model_copy(update=terms))
            assert len(planned) == pairs * len(task.sweep)
            assert cost_of(session, evaluation, ROOMY).problems == len(planned)


def test_the_cost_over_http_asks_for_nothing(evaluated: tuple[Party, str, str]) -> None:
    buyer, request_id, _ = evaluated
    path = f"/v1/requests/{request_id}"
    before = buyer.get(f"{path}/evaluations").json()["items"]
    response = buyer.post(f"{path}/evaluation-cost", json={"leave_one_out": False})
    assert response.status_code == 200, response.text
    cost = models.EvaluationCost.model_validate(response.json())
    # Three sellers alone and all together, at three s; the reference has several points.
    assert cost.problems == 12
    assert cost.seconds is None  # no worker is in service
    assert buyer.get(f"{path}/evaluations").json()["items"] == before


@pytest.mark.parametrize(
    "limits", [SolveLimits(2**10, 3600.0), SolveLimits(2**33, 1e-6)], ids=["memory", "time"]
)
def test_what_is_too_large_is_refused_with_what_would_fit(
    service: Service, evaluated: tuple[Party, str, str], limits: SolveLimits
) -> None:
    _, _, evaluation_id = evaluated
    with service.database.snapshot() as session:
        evaluation = session.get_one(Evaluation, evaluation_id)
        with pytest.raises(EvaluationTooLarge, match=r"of your points .* would fit\. .* sample"):
            require_affordable(evaluation, limits)
        assert cost_of(session, evaluation, limits).too_large is not None
        require_affordable(evaluation, ROOMY)


def test_the_seconds_are_those_of_recent_evaluations_of_the_size(
    service: Service, evaluated: tuple[Party, str, str]
) -> None:
    _, _, evaluation_id = evaluated
    with service.database.transaction() as session:
        model = session.get_one(Evaluation, evaluation_id)
        succeeded = Evaluation.state == "succeeded"
        session.execute(update(Evaluation).where(succeeded).values(state="failed"))
        columns = {each.key: getattr(model, each.key) for each in Evaluation.__table__.columns}
        assert columns["estimated_seconds"] == cost_of(session, model, ROOMY).processor_seconds

        def finish(estimated: float, taken: float, *, times: int) -> None:
            begun = datetime.now(UTC)
            for _ in range(times):
                ended = {
                    "id": new_id("evl"),
                    "state": "succeeded",
                    "estimated_seconds": estimated,
                    "started_at": begun,
                    "finished_at": begun + timedelta(seconds=taken),
                }
                session.execute(insert(Evaluation).values({**columns, **ended}))

        finish(0.1, 6.0, times=FEWEST - 1)
        assert recent_seconds(session, 0.36) is None
        finish(0.02, 8.0, times=1)
        finish(40.0, 120.0, times=FEWEST)
        assert recent_seconds(session, 0.36) == pytest.approx(6.0)  # the median of the short ones
        assert recent_seconds(session, 20.0) == pytest.approx(
            60.0
        )  # these took three times their estimates
        assert recent_seconds(session, 1000.0) is None
        plan = session.execute(
            text(
                "EXPLAIN QUERY PLAN SELECT estimated_seconds FROM evaluations "
                "WHERE state = 'succeeded' ORDER BY finished_at DESC LIMIT 100"
            )
        ).all()
        assert "ix_evaluations_succeeded" in str(plan)
        session.rollback()


def test_a_draft_has_no_cost(http: Http) -> None:
    buyer, _, request_id, _ = market(http, data(5), ["measure"])
    assert buyer.post(f"/v1/requests/{request_id}/cancel").status_code == 200
    refused = buyer.post(f"/v1/requests/{request_id}/evaluation-cost", json={})
    assert problem(refused) == (409, "request-not-evaluable")

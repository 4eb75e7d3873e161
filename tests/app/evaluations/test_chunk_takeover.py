"""A worker is killed during an evaluation, and another takes over."""

import signal
from collections.abc import Callable
from functools import partial

import pytest

from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import worker_process
from tests.app.evaluations.jobs import Jobs, eventually
from tests.app.evaluations.market import data, evaluate, market, result
from tests.app.evaluations.test_results import published

SELLERS = 6
LONG = partial(data, *[600] * SELLERS, m=1400, d=5)


@pytest.mark.endurance
def test_a_killed_workers_chunks_are_taken_over_and_finished_ones_not_computed_again(
    http: Callable[..., Party], service: Service, start_worker: Callable[[], None]
) -> None:
    buyer, _, request_id, _ = market(http, LONG(), ["measure"] * SELLERS)
    jobs = Jobs(service)
    with worker_process(service, "doomed") as doomed:
        evaluation_id = evaluate(buyer, request_id)
        eventually(lambda: jobs.workers_of(evaluation_id).keys() - {evaluation_id}, "an ended job")
        eventually(
            lambda: any(chunk.running for chunk in jobs.chunks_of(evaluation_id)), "a running one"
        )
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()
        chunks = jobs.chunks_of(evaluation_id)
        ended = jobs.workers_of(evaluation_id)
    start_worker()
    found = result(buyer, evaluation_id)

    (begun,) = {chunk.id for chunk in chunks if chunk.running}
    workers = jobs.workers_of(evaluation_id)
    assert workers.keys() == {evaluation_id} | {chunk.id for chunk in chunks}
    assert set(ended.values()) == {"doomed"}
    assert ended.items() <= workers.items()
    assert workers[begun] != "doomed"
    evaluation = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert evaluation["attempts"] == 2
    assert evaluation["progress"] == {"done": 39, "total": 39}
    assert len(found["sellers"]) == SELLERS
    assert published(service, evaluation_id) == (1, (SELLERS + 1) * 3)
    assert jobs.chunks_of(evaluation_id) == []

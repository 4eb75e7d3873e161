"""A worker that is killed amid an evaluation, and the one that goes on."""

import signal
from collections.abc import Callable

from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import worker_process
from tests.app.evaluations.jobs import Jobs, eventually
from tests.app.evaluations.market import data, evaluate, market, result
from tests.app.evaluations.test_results import published

LONG = data(600, 700, 800, m=600, d=5)


def test_a_killed_worker_s_chunks_are_taken_over_and_finished_ones_not_computed_again(
    http: Callable[..., Party], service: Service, start_worker: Callable[[], None]
) -> None:
    buyer, _, request_id, _ = market(http, LONG, ["measure"] * 3)
    jobs = Jobs(service)
    with worker_process(service, "doomed") as doomed:
        evaluation_id = evaluate(buyer, request_id)
        eventually(
            lambda: any(chunk.output and chunk.done for chunk in jobs.chunks_of(evaluation_id)),
            "a finished chunk",
        )
        eventually(
            lambda: any(chunk.running for chunk in jobs.chunks_of(evaluation_id)), "a running one"
        )
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()
        chunks = jobs.chunks_of(evaluation_id)
    start_worker()
    found = result(buyer, evaluation_id)

    ended = {chunk.id for chunk in chunks if chunk.output is not None}
    (begun,) = {chunk.id for chunk in chunks if chunk.running}
    assert ended
    taken = jobs.times_taken(evaluation_id)
    assert taken == {evaluation_id: 1} | {chunk.id: 1 for chunk in chunks} | {begun: 2}
    evaluation = buyer.get(f"/v1/evaluations/{evaluation_id}").json()
    assert evaluation["attempts"] == 2
    assert evaluation["progress"] == {"done": 21, "total": 21}
    assert len(found["sellers"]) == 3
    assert published(service, evaluation_id) == (1, 4 * 3)
    assert jobs.chunks_of(evaluation_id) == []

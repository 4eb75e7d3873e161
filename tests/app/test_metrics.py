"""What `/metrics` says of the queue and the workers."""

from collections.abc import Callable

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import worker_process
from tests.app.evaluations.market import data, evaluate, finished, market

HELD = data(10)


def metrics(anonymous: httpx.Client) -> dict[tuple[str, ...], float]:
    answer = anonymous.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_metrics_count_evaluations_workers_and_seconds(
    http: Callable[..., Party], anonymous: httpx.Client, service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    before = metrics(anonymous)
    evaluation_id = evaluate(buyer, request_id)

    queued = metrics(anonymous)
    with worker_process(service, "counted"):
        finished(buyer, evaluation_id)
        working = metrics(anonymous)

    waiting, succeeded = ("wassay_evaluations", "waiting"), ("wassay_evaluations", "succeeded")
    assert queued[waiting] == before[waiting] + 1
    assert queued["wassay_queue_oldest_seconds",] > 0
    assert queued["wassay_workers",] == 0
    assert (working["wassay_workers",], working["wassay_worker_slots",]) == (1, 1)
    assert working[succeeded] == before[succeeded] + 1
    for phase in ("waiting", "solving"):
        name = f"wassay_evaluation_{phase}_seconds_gcount"
        assert working[name,] == before[name,] + 1

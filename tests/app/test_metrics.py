"""What `/metrics` says of the queue, the workers and the requests."""

from collections.abc import Callable

import httpx
from prometheus_client.parser import text_string_to_metric_families

from app.database import MAX_OVERFLOW, POOL_SIZE
from app.jobs.worker_registry import WorkerRegistry
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from wassay import __version__

HELD = data(10)


def metrics(anonymous: httpx.Client) -> dict[tuple[str, ...], float]:
    response = anonymous.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def test_metrics_count_evaluations_workers_and_seconds(
    http: Callable[..., Party], anonymous: httpx.Client, service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    before = metrics(anonymous)
    evaluation_id = evaluate(buyer, request_id)

    queued = metrics(anonymous)
    jobs, registry = Jobs(service), WorkerRegistry(service.database, "counted", 3)
    registry.register()
    jobs.evaluations.publish(evaluation_id, jobs.computed(jobs.evaluations, evaluation_id))
    working = metrics(anonymous)
    registry.deregister()

    waiting, succeeded = ("wassay_evaluations", "waiting"), ("wassay_evaluations", "succeeded")
    assert queued[waiting] == before[waiting] + 1
    assert queued["wassay_queue_oldest_seconds",] > 0
    assert queued["wassay_workers",] == 0
    assert (working["wassay_workers",], working["wassay_worker_slots",]) == (1, 3)
    assert working[succeeded] == before[succeeded] + 1
    for phase in ("waiting", "solving"):
        name = f"wassay_evaluation_{phase}_seconds_gcount"
        assert working[name,] == before[name,] + 1


def test_metrics_count_requests_by_the_template_of_their_route(
    http: Callable[..., Party], anonymous: httpx.Client
) -> None:
    buyer = http("buyer")
    before = metrics(anonymous)
    for path in ("/v1/requests/req_nothing", "/v1/requests/req_made_up", "/nowhere/at-all"):
        assert buyer.get(path).status_code == 404
    assert anonymous.get("/healthz").status_code == 200

    after = metrics(anonymous)

    name = "wassay_http_request_seconds_count"
    for method, route, status, times in (
        ("GET", "/v1/requests/{request_id}", "4xx", 2),
        ("GET", "none", "4xx", 1),
        ("GET", "/healthz", "2xx", 1),
    ):
        key = (name, method, route, status)
        assert after[key] - before.get(key, 0) == times
    assert not any("req_made_up" in label for key in after for label in key)


def test_metrics_tell_the_version_the_process_and_its_connections(
    anonymous: httpx.Client, service: Service
) -> None:
    with service.app.state.database.engine.connect():
        found = metrics(anonymous)

    assert found["wassay_build_info", __version__] == 1
    assert found["process_open_fds",] > 0
    assert found["process_resident_memory_bytes",] > 1e6
    assert 1 <= found["wassay_database_connections_in_use",] <= POOL_SIZE + MAX_OVERFLOW

"""`/metrics` of a web process: about the process, the queue and the workers."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import event

from app.arrays.opening import open_store
from app.arrays.problems import StorageDamaged
from app.database import Database, on_commit
from app.engine import MAX_OVERFLOW, POOL_SIZE
from app.jobs.problems import WorkerLost
from app.jobs.worker_registry import WorkerRegistry
from app.metrics import QueueAndWorkers
from app.process_metrics import ProcessState, exposition
from app.settings import Settings
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from wassay import __version__

HELD = data(10)

Metrics = dict[tuple[str, ...], float]


def parsed(text: str) -> Metrics:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def metrics(anonymous: httpx.Client) -> Metrics:
    response = anonymous.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return parsed(response.text)


@contextmanager
def increases() -> Iterator[Metrics]:
    """Yield a dict that, after the block, has the increase of each metric of this process."""
    before = parsed(exposition().decode())
    grown: Metrics = {}
    yield grown
    after = parsed(exposition().decode())
    grown |= {key: after[key] - before.get(key, 0) for key in after}


def test_metrics_show_the_queue_and_the_workers(
    http: Callable[..., Party], anonymous: httpx.Client, service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    before = metrics(anonymous)
    evaluation_id = evaluate(buyer, request_id)

    queued = metrics(anonymous)
    jobs, registry = Jobs(service), WorkerRegistry(service.database, "counted", 3)
    registry.register()
    output = jobs.computed(jobs.evaluations, evaluation_id)
    working = metrics(anonymous)
    jobs.evaluations.publish(evaluation_id, output)
    done = metrics(anonymous)
    registry.deregister()

    waiting, running = ("wassay_evaluations", "waiting"), ("wassay_evaluations", "running")
    assert queued[waiting] == before[waiting] + 1
    assert queued["wassay_queue_oldest_seconds",] > 0
    assert queued["wassay_workers",] == 0
    assert working[waiting] == before[waiting]
    assert working[running] == before[running] + 1
    assert (working["wassay_workers",], working["wassay_worker_slots",]) == (1, 3)
    assert done[running] == before[running]


def test_evaluations_are_counted_by_how_they_end(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"])
    jobs = Jobs(service)
    succeeding, failing, cancelled = (evaluate(buyer, request_id) for _ in range(3))

    with increases() as grown:
        jobs.evaluations.publish(succeeding, jobs.computed(jobs.evaluations, succeeding))
        assert jobs.evaluations.prepare(failing)
        jobs.evaluations.fail(failing, WorkerLost.after(3).body(), 1)
        jobs.evaluations.fail(failing, WorkerLost.after(3).body(), 1)  # it has ended already
        assert buyer.post(f"/v1/evaluations/{cancelled}/cancel").is_success

    ended = "wassay_evaluations_ended_total"
    assert {key[1:]: value for key, value in grown.items() if key[0] == ended and value} == {
        ("succeeded", ""): 1,
        ("failed", "worker-lost"): 1,
        ("cancelled", ""): 1,
    }
    for phase in ("waiting", "solving"):
        assert grown[f"wassay_evaluation_{phase}_seconds_count",] == 1


def test_what_a_transaction_does_is_counted_only_if_it_commits(service: Service) -> None:
    done: list[str] = []
    with pytest.raises(ZeroDivisionError), service.database.transaction() as session:
        on_commit(session, lambda: done.append("rolled back"))
        _ = 1 / 0
    with service.database.transaction() as session:
        with session.begin_nested():
            on_commit(session, lambda: done.append("committed"))
        assert done == []
    assert done == ["committed"]


def test_requests_are_counted_by_the_template_of_their_route_and_by_problem(
    http: Callable[..., Party], anonymous: httpx.Client
) -> None:
    buyer = http("buyer")
    with increases() as grown:
        for path in ("/v1/requests/req_nothing", "/v1/requests/req_made_up", "/nowhere/at-all"):
            assert buyer.get(path).status_code == 404
        assert buyer.request("BREW", "/v1/requests").status_code == 405
        assert anonymous.get("/healthz").status_code == 200

    template = "/v1/requests/{request_id}"
    assert grown["wassay_http_requests_total", "GET", template, "404"] == 2
    assert grown["wassay_http_requests_total", "GET", "none", "404"] == 1
    assert grown["wassay_http_requests_total", "GET", "/healthz", "200"] == 1
    assert grown["wassay_http_requests_total", "other", "/v1/requests", "405"] == 1
    assert grown["wassay_http_request_duration_seconds_count", "GET", template] == 2
    assert grown["wassay_problems_total", "not-found"] == 3
    assert grown["wassay_problems_total", "method-not-allowed"] == 1
    made_up = {"req_made_up", "/nowhere/at-all", "BREW"}
    assert not any(made_up.intersection(key) for key in metrics(anonymous))


def test_buckets_are_cumulative_and_stay_as_they_are_when_nothing_happens(
    http: Callable[..., Party], anonymous: httpx.Client
) -> None:
    http("buyer").get("/v1/accounts/me")
    first, second = (anonymous.get("/metrics").text for _ in range(2))

    buckets = [
        sample
        for family in text_string_to_metric_families(second)
        for sample in family.samples
        if sample.name.endswith("_bucket")
    ]
    assert buckets == [
        sample
        for family in text_string_to_metric_families(first)
        for sample in family.samples
        if sample.name.endswith("_bucket")
    ]
    found = parsed(second)
    for earlier, later in pairwise(buckets):
        labels = {**later.labels, "le": ""}
        if earlier.name == later.name and {**earlier.labels, "le": ""} == labels:
            assert earlier.value <= later.value
        if later.labels["le"] == "+Inf":
            others = [value for name, value in later.labels.items() if name != "le"]
            assert later.value == found[later.name.removesuffix("_bucket") + "_count", *others]
    assert any(sample.value for sample in buckets)


def test_uploads_and_operations_of_the_store_are_counted_with_their_errors(
    http: Callable[..., Party], service: Service
) -> None:
    with increases() as grown:
        market(http, HELD, ["measure"])
        store = open_store(service.settings, service.database)
        with pytest.raises(StorageDamaged):
            store.stream("0" * 64)

    assert grown["wassay_upload_received_bytes_total",] > HELD.buyer.points.nbytes
    assert grown["wassay_store_operation_duration_seconds_count", "write"] > 0
    assert grown["wassay_store_operation_duration_seconds_count", "read"] == 1
    assert grown["wassay_store_errors_total", "read", "storage-damaged"] == 1
    assert grown["wassay_store_errors_total", "write", "storage-unavailable"] == 0


@pytest.mark.parametrize("in_bucket", [False, True])
def test_each_array_that_is_fetched_among_many_is_counted_once_with_its_error(
    address: str, database: Database, tmp_path: Path, in_bucket: bool
) -> None:
    settings = Settings(data_folder=tmp_path, arrays_url=address if in_bucket else None)
    store = open_store(settings, database)
    stored = [store.put_bytes(content) for content in (b"one", b"other")]

    with increases() as grown, ThreadPoolExecutor(2) as threads:
        store.local_paths(stored, threads)
    with increases() as failed, ThreadPoolExecutor(2) as threads, pytest.raises(StorageDamaged):
        store.local_paths([stored[0], "0" * 64], threads)
    with increases() as alone:
        store.local_path(stored[0])

    count = ("wassay_store_operation_duration_seconds_count", "fetch")
    errors = ("wassay_store_errors_total", "fetch", "storage-damaged")
    assert [(each[count], each[errors]) for each in (grown, failed, alone)] == [
        (2, 0),
        (2, 1),
        (1, 0),
    ]


def test_metrics_tell_the_version_the_process_its_connections_disk_and_clock(
    anonymous: httpx.Client, service: Service
) -> None:
    with service.app.state.database.engine.connect():
        found = metrics(anonymous)

    assert found["wassay_build_info", __version__] == 1
    assert found["process_open_fds",] > 0
    assert found["process_resident_memory_bytes",] > 1e6
    assert 1 <= found["wassay_database_connections", "in_use"] <= POOL_SIZE + MAX_OVERFLOW
    assert found["wassay_database_connections_max",] == POOL_SIZE + MAX_OVERFLOW
    assert found["wassay_database_up",] == 1
    assert 0 < found["wassay_disk_free_bytes",] <= found["wassay_disk_size_bytes",]
    assert abs(found["wassay_clock_offset_seconds",]) < 60


def test_without_its_database_a_process_still_exposes_itself(service: Service) -> None:
    unreachable = Database("postgresql+psycopg://nobody:secret@127.0.0.1:9/nowhere")

    text = exposition(ProcessState(unreachable, service.settings), QueueAndWorkers(unreachable))

    found = parsed(text.decode())
    assert found["wassay_database_up",] == 0
    assert found["wassay_disk_free_bytes",] > 0
    assert ("wassay_workers",) not in found
    assert b"secret" not in text


def test_a_scrape_reads_no_evaluation_that_has_ended(
    service: Service, anonymous: httpx.Client
) -> None:
    read: list[tuple[str, Any]] = []
    engine = service.app.state.database.engine
    listener = (
        engine,
        "before_cursor_execute",
        lambda _c, _k, sql, bound, *_: read.append((sql, bound)),
    )
    event.listen(*listener)
    try:
        metrics(anonymous)
    finally:
        event.remove(*listener)

    of_evaluations = [(sql, bound) for sql, bound in read if re.search(r"\bevaluations\b", sql)]
    assert len(of_evaluations) == 2
    assert len(read) < 12
    with engine.connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if not is_sqlite:
            connection.exec_driver_sql(
                "SET enable_seqscan = off"
            )  # the planner would prefer a scan of few rows
        for sql, bound in of_evaluations:
            explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
            plan = str(connection.exec_driver_sql(explain + sql, bound).all())
            assert "ix_evaluations_unfinished" in plan or "ix_evaluations_queue" in plan, plan

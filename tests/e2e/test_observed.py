"""An operator sees one evaluation in the metrics of each process, and in one trace."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import numpy as np
import pytest
import yaml

from tests.app.test_metrics import parsed
from tests.collector import Collector, collector
from tests.conftest import ON_SQLITE, NewDatabase
from tests.e2e.processes import eventually
from tests.e2e.service import Service, parties, running_service
from tests.object_store import free_ports
from tests.promtool import MONITORING, promtool
from wassay import Buyer, Seller

POINTS = np.random.default_rng(4).normal(size=(20, 2))


@dataclass
class Observed:
    """A service after one evaluation: the metrics of its web process and worker, and the spans."""

    service: Service
    evaluation_id: str
    web: str
    worker: str
    traces: Collector


@pytest.fixture(scope="module")
def observed(
    new_database_url: NewDatabase, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Observed]:
    (port,) = free_ports("127.0.0.1", 1)
    with collector() as traces:
        settings = {
            "WASSAY_DATABASE_URL": new_database_url(),
            "WASSAY_WORKER_PORT": str(port),
            "WASSAY_TRACES_URL": traces.url,
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
        with running_service(tmp_path_factory.mktemp("observed"), settings) as service:
            with parties(service) as new_party:
                buyer, seller = new_party("buyer"), new_party("seller")
                request = Buyer(buyer.client).ask(
                    POINTS, title="Observed", sellers=[seller.account_id]
                )
                Seller(seller.client).answer(request.id, POINTS + 0.1)
                evaluation = request.evaluate()
                evaluation.wait(timeout=120)
            eventually(lambda: traces.named("job evaluation"), "traced")
            web, worker = (
                httpx.get(f"{url}/metrics").text
                for url in (service.url, f"http://127.0.0.1:{port}")
            )
            yield Observed(service, evaluation.id, web, worker, traces)


@ON_SQLITE
def test_an_evaluation_is_one_trace_from_the_call_through_the_job_to_the_solver_process(
    observed: Observed,
) -> None:
    traces = observed.traces
    (call,) = traces.named("POST /v1/requests/{request_id}/evaluations")
    (job,) = traces.named("job evaluation")
    (computed,) = traces.named("compute")
    parts = [span for span in traces.spans if span.parent_id == computed.span_id]

    assert (call.service, job.service) == ("wassay-web", "wassay-worker")
    assert call.parent_id == ""
    assert (job.parent_id, computed.parent_id) == (call.span_id, job.span_id)
    assert {call.trace_id} == {span.trace_id for span in (job, computed, *parts)}
    assert len({call.pid, job.pid, computed.attributes["process.pid"]}) == 3
    assert job.attributes["wassay.job_id"] == observed.evaluation_id
    assert job.attributes["wassay.request_id"] == call.attributes["wassay.request_id"] != ""
    assert {"fetch arrays", "read arrays", "store scores"} < {span.name for span in parts}
    assert 0 < sum(span.seconds for span in parts) <= computed.seconds <= job.seconds


@ON_SQLITE
def test_prometheus_finds_no_fault_with_the_metrics(observed: Observed) -> None:
    for text in (observed.web, observed.worker):
        promtool("check", "metrics", given=text)
    web, worker = parsed(observed.web), parsed(observed.worker)
    assert worker["wassay_evaluations_ended_total", "succeeded", ""] == 1
    assert worker["wassay_jobs_total", "evaluation", "published", ""] == 1
    assert worker["wassay_worker_in_service",] == 1
    assert worker["wassay_worker_check_failed", "disk"] == 0
    assert worker["wassay_store_operation_duration_seconds_count", "check"] > 0
    assert web["wassay_workers",] == 1
    assert web["wassay_store_operation_duration_seconds_count", "write"] > 0


@ON_SQLITE
def test_alerts_and_the_dashboard_name_only_metrics_that_the_processes_expose(
    observed: Observed,
) -> None:
    exposed = {
        name
        for text in (observed.web, observed.worker)
        for family, kind in re.findall(r"^# TYPE (\S+) (\w+)", text, re.MULTILINE)
        for name in (
            [f"{family}_bucket", f"{family}_count", f"{family}_sum"]
            if kind == "histogram"
            else [family]
        )
    }
    (group,) = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    expressions = [rule["expr"] for rule in group["rules"]] + shown
    assert len(shown) > 30

    named = {name for each in expressions for name in re.findall(r"\b(?:wassay|process)_\w+", each)}

    assert named <= exposed
    page = (MONITORING.parents[1] / "docs" / "operating" / "alerts.md").read_text()
    documented = {name for name in exposed if name.startswith("wassay_")}
    missing = {
        name
        for name in documented
        if re.sub("_(bucket|count|sum)$", "", name) not in page and name not in page
    }
    assert not missing

"""`/metrics` for Prometheus: the queue, the workers and the latencies.

Requests, connections and `process_…` are those of the web process that responds. All other metrics
are read from the database at each scrape, so every web process reports the same.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from fastapi import APIRouter, Request, Response
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    GaugeHistogramMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.metrics_core import Metric
from sqlalchemy import QueuePool
from sqlalchemy.orm import Session

from wassay import __version__

from .database import MAX_OVERFLOW, POOL_SIZE, Database, database_time
from .evaluations import repository
from .http.dependencies import DatabaseDependency
from .jobs.worker_registry import living_workers

router = APIRouter(tags=["health"])

STATES = ("waiting", "running", "succeeded", "failed", "cancelled")
WINDOW = timedelta(hours=1)
BUCKETS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3600.0)


class ServiceCollector:
    """Collects the metrics of the whole service from the database."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        states = GaugeMetricFamily("wassay_evaluations", "Evaluations by state.", labels=["state"])
        counts = repository.count_by_state(self._session)
        for state in STATES:
            states.add_metric([state], counts.get(state, 0))
        yield states
        oldest = repository.oldest_waiting(self._session)
        yield GaugeMetricFamily(
            "wassay_queue_oldest_seconds",
            "Waiting time of the oldest waiting evaluation; 0 if none waits.",
            value=0 if oldest is None else (database_time(self._session) - oldest).total_seconds(),
        )
        workers = living_workers(self._session)
        yield GaugeMetricFamily("wassay_workers", "Live workers.", value=len(workers))
        yield GaugeMetricFamily(
            "wassay_workers_silent",
            "Live workers without a heartbeat for ten seconds, which may be frozen.",
            value=sum(worker.is_silent for worker in workers),
        )
        yield GaugeMetricFamily(
            "wassay_workers_out_of_service",
            "Live workers that take no jobs because their machine has a fault.",
            value=sum(worker.fault is not None for worker in workers),
        )
        yield GaugeMetricFamily(
            "wassay_worker_slots",
            "Evaluations that the live workers compute concurrently.",
            value=sum(worker.concurrency for worker in workers),
        )
        times = repository.times_since(self._session, database_time(self._session) - WINDOW)
        yield latencies("waiting", [(begun - asked).total_seconds() for asked, begun, _ in times])
        yield latencies("solving", [(ended - begun).total_seconds() for _, begun, ended in times])


class WebProcessCollector:
    """Collects what one web process knows of itself."""

    def __init__(self, database: Database) -> None:
        self._pool = database.engine.pool

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        yield InfoMetricFamily("wassay_build", "The version.", value={"version": __version__})
        if isinstance(self._pool, QueuePool):
            yield GaugeMetricFamily(
                "wassay_database_connections_in_use",
                f"Connections to the database in use, of {POOL_SIZE + MAX_OVERFLOW} at most.",
                value=self._pool.checkedout(),
            )


def latencies(phase: str, seconds: Sequence[float]) -> Metric:
    """Return the histogram of a phase's duration."""
    family = GaugeHistogramMetricFamily(
        f"wassay_evaluation_{phase}_seconds",
        f"Seconds of {phase} of the evaluations that succeeded in the last hour.",
    )
    buckets = [(str(edge), sum(value <= edge for value in seconds)) for edge in BUCKETS]
    family.add_metric([], [*buckets, ("+Inf", len(seconds))], sum(seconds))
    return family


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def read_metrics(request: Request, database: DatabaseDependency) -> Response:
    """Read the metrics of the queue, the workers, evaluations and requests."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(WebProcessCollector(database))
    registry.register(request.app.state.request_seconds)
    with database.snapshot() as session:
        registry.register(ServiceCollector(session))
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

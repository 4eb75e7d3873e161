"""`/metrics`: the queue, the workers and the latencies, in the text format of Prometheus.

All but the requests is read from the database at each scrape, so that every web process says the
same of it. Requests are counted by each web process for itself.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeHistogramMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy.orm import Session

from .database import now
from .evaluations import repository
from .jobs.worker_registry import living_workers
from .kit.dependencies import DatabaseDependency

router = APIRouter(tags=["health"])

STATES = ("waiting", "running", "succeeded", "failed", "cancelled")
LATELY = timedelta(hours=1)
BUCKETS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3600.0)


class ServiceCollector:
    """The metrics of the whole service, as one session sees it."""

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
            "How long the evaluation at the head of the queue has waited; 0: none waits.",
            value=0 if oldest is None else (now() - oldest).total_seconds(),
        )
        workers = living_workers(self._session)
        yield GaugeMetricFamily("wassay_workers", "Workers that are alive.", value=len(workers))
        yield GaugeMetricFamily(
            "wassay_workers_silent",
            "Those of them of which nothing was heard for ten seconds: they may be frozen.",
            value=sum(worker.is_silent for worker in workers),
        )
        yield GaugeMetricFamily(
            "wassay_worker_slots",
            "Evaluations that the living workers compute at the same time.",
            value=sum(worker.concurrency for worker in workers),
        )
        times = repository.times_since(self._session, now() - LATELY)
        yield latencies("waiting", [(begun - asked).total_seconds() for asked, begun, _ in times])
        yield latencies("solving", [(ended - begun).total_seconds() for _, begun, ended in times])


def latencies(phase: str, seconds: Sequence[float]) -> Metric:
    """Return how long a phase took, of the evaluations that ended lately."""
    family = GaugeHistogramMetricFamily(
        f"wassay_evaluation_{phase}_seconds",
        f"Seconds of {phase}, of the evaluations that succeeded in the last hour.",
    )
    buckets = [(str(edge), sum(value <= edge for value in seconds)) for edge in BUCKETS]
    family.add_metric([], [*buckets, ("+Inf", len(seconds))], sum(seconds))
    return family


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def read_metrics(request: Request, database: DatabaseDependency) -> Response:
    """Read the queue's depth, the living workers, and how long evaluations and requests take."""
    registry = CollectorRegistry()
    registry.register(request.app.state.request_seconds)
    with database.snapshot() as session:
        registry.register(ServiceCollector(session))
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

"""`/metrics` for Prometheus: this web process, and the queue and workers of the whole service."""

from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from .database import Database, database_time
from .evaluations import queue_repository
from .http.dependencies import DatabaseDependency
from .jobs.worker_registry import living_workers
from .process_metrics import MEDIA_TYPE, ProcessState, exposition

router = APIRouter(tags=["health"])


class QueueAndWorkers(Collector):
    """Collect the state of the queue and the workers from the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def collect(self) -> Iterator[Metric]:
        """Yield every metric, or nothing if the database does not respond."""
        try:
            with self._database.snapshot() as session:
                metrics = [*_queue(session), *_workers(session)]
        except SQLAlchemyError:
            return  # `wassay_database_up` reports this
        yield from metrics


def _queue(session: Session) -> Iterator[Metric]:
    # Ended evaluations are counted by the process that ends them, so a scrape never counts all.
    states = GaugeMetricFamily(
        "wassay_evaluations", "Evaluations that are waiting or running.", labels=["state"]
    )
    for state, count in queue_repository.count_unfinished(session).items():
        states.add_metric([state], count)
    yield states
    oldest = queue_repository.oldest_waiting(session)
    yield GaugeMetricFamily(
        "wassay_queue_oldest_seconds",
        "Waiting time of the oldest waiting evaluation; 0 if none is waiting.",
        value=0 if oldest is None else (database_time(session) - oldest).total_seconds(),
    )


def _workers(session: Session) -> Iterator[Metric]:
    workers = living_workers(session)
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
        "Jobs that the live workers compute at the same time.",
        value=sum(worker.concurrency for worker in workers),
    )


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def read_metrics(request: Request, database: DatabaseDependency) -> Response:
    """Read the metrics of this web process, of the queue and of the workers."""
    process = ProcessState(database, request.app.state.settings)
    return Response(exposition(process, QueueAndWorkers(database)), media_type=MEDIA_TYPE)

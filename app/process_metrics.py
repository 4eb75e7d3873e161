"""Metrics that the web process and every worker expose about themselves."""

import shutil
from collections.abc import Iterator

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import QueuePool, select
from sqlalchemy.exc import SQLAlchemyError

from wassay import __version__

from .database import Database, clock_timestamp, now
from .engine import MAX_OVERFLOW, POOL_SIZE
from .settings import Settings

MEDIA_TYPE = CONTENT_TYPE_LATEST

# Leave out the `…_created` series of the text format, which Prometheus does not use.
disable_created_metrics()  # type: ignore[no-untyped-call]


def exposition(*collectors: Collector) -> bytes:
    """Return this process's counters and what the collectors find now, as Prometheus's text."""
    registry = CollectorRegistry()
    for collector in (REGISTRY, *collectors):
        registry.register(collector)
    return generate_latest(registry)


class ProcessState(Collector):
    """Collect this process's version, database connections, disk space and clock offset."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings

    def collect(self) -> Iterator[Metric]:
        """Yield every metric, except those whose database or folder cannot be reached."""
        yield InfoMetricFamily("wassay_build", "The version.", value={"version": __version__})
        yield from self._connections()
        offset = self._clock_offset()
        yield GaugeMetricFamily(
            "wassay_database_up",
            "Whether the database responds to this process.",
            value=offset is not None,
        )
        if offset is not None:
            yield GaugeMetricFamily(
                "wassay_clock_offset_seconds",
                "How far the clock of this machine is ahead of the database's.",
                value=offset,
            )
        yield from self._disk()

    def _connections(self) -> Iterator[Metric]:
        pool = self._database.engine.pool
        if not isinstance(pool, QueuePool):
            return
        connections = GaugeMetricFamily(
            "wassay_database_connections",
            "Connections of this process to the database.",
            labels=["state"],
        )
        connections.add_metric(["in_use"], pool.checkedout())
        connections.add_metric(["idle"], pool.checkedin())
        yield connections
        yield GaugeMetricFamily(
            "wassay_database_connections_max",
            "Most connections to the database that this process may use at a time.",
            value=POOL_SIZE + MAX_OVERFLOW,
        )

    def _clock_offset(self) -> float | None:
        try:
            with self._database.snapshot() as session:
                theirs = session.execute(select(clock_timestamp())).scalar_one()
        except SQLAlchemyError:
            return None
        return (now() - theirs).total_seconds()

    def _disk(self) -> Iterator[Metric]:
        try:
            usage = shutil.disk_usage(self._settings.data_folder)
        except OSError:
            return
        yield GaugeMetricFamily(
            "wassay_disk_free_bytes",
            "Free bytes of the file system of the data folder.",
            value=usage.free,
        )
        yield GaugeMetricFamily(
            "wassay_disk_size_bytes",
            "Size of the file system of the data folder.",
            value=usage.total,
        )

"""A worker: takes jobs from the queue until it is told to stop."""

import logging
import threading
from collections.abc import Iterable

import structlog
from dbos import DBOS, DBOSClient, DBOSConfig

from ..database import Database
from ..kit.ids import new_id
from ..settings import Settings
from .handlers import JobHandler
from .process_pool import ChildLimits
from .reaper import watch
from .runner import JobRunner
from .schema import APPLICATION, APPLICATION_VERSION, QUEUE, SERIALIZER, WORKFLOW
from .slots import Places
from .worker_registry import Presence

logger = structlog.stdlib.get_logger("wassay.jobs")

POLL_SECONDS = 0.05
TAKEN_A_PLACE = 3
"""How many jobs are taken for each place: one is computed, others wait or are published."""
GRACE_SECONDS = 5
"""How long a stopping worker lets its jobs end."""


def work(
    settings: Settings,
    database: Database,
    handlers: Iterable[JobHandler],
    stop: threading.Event,
) -> None:
    """Run jobs until `stop` is set.

    What is being computed then may end within a time of grace; the rest is given back to the
    queue. Jobs that a worker of the same id left behind are taken up at once, those of another
    that vanished some seconds later.

    Raises
    ------
    WorkerIdTaken
        A living worker has this id.
    """
    worker_id = settings.worker_id or new_id("wrk")
    places = Places(settings.worker_concurrency)
    runner = JobRunner(
        handlers,
        ChildLimits(
            threads=settings.solve_threads,
            memory_bytes=settings.solve_memory_bytes,
            seconds=settings.solve_seconds,
        ),
        places,
    )
    presence = Presence(database, worker_id, settings.worker_concurrency)
    presence.enter()
    try:
        runner.warm(settings.worker_concurrency)
        launch(settings, database, worker_id, runner)
        logger.info("worker started", worker_id=worker_id)
        watch(worker_id, presence, runner, places, stop)
    finally:
        places.close()
        grace = GRACE_SECONDS if runner.busy else 0
        DBOS.destroy(workflow_completion_timeout_sec=grace, destroy_registry=True)
        runner.stop()
        presence.leave()
        logger.info("worker stopped", worker_id=worker_id)


def launch(settings: Settings, database: Database, worker_id: str, runner: JobRunner) -> None:
    """Declare the one workflow there is, and begin to take jobs.

    On Postgres the job library uses our connections; on SQLite its own, since ours take the lock of
    the one writer before they read.
    """
    engine = database.engine
    # Its records go where ours go; by itself it would print to the console.
    logging.getLogger("dbos").addHandler(logging.NullHandler())
    # By a client: `DBOS.register_queue` works only after the launch, and then takes up to a second.
    client = DBOSClient(system_database_engine=engine, application_name=APPLICATION)
    client.register_queue(
        QUEUE,
        worker_concurrency=TAKEN_A_PLACE * settings.worker_concurrency,
        polling_interval_sec=POLL_SECONDS,
        on_conflict="always_update",
    )
    client.destroy()
    DBOS(
        config=DBOSConfig(
            name=APPLICATION,
            system_database_url=settings.resolved_database_url,
            system_database_engine=engine if engine.dialect.name == "postgresql" else None,
            application_version=APPLICATION_VERSION,
            executor_id=worker_id,
            serializer=SERIALIZER,
            run_migrations=False,
            log_level="WARNING",
        )
    )

    @DBOS.workflow(name=WORKFLOW)
    def run_job(kind: str, job_id: str) -> None:
        # No steps: what is found is published at once, in one transaction of ours, and need not be
        # noted by the job library before.
        runner.run(kind, job_id)

    DBOS.listen_queues([QUEUE])
    DBOS.launch()

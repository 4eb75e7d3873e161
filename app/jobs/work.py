"""Dequeue jobs and run them until told to stop: the work of a worker."""

import logging
import threading
from collections.abc import Callable, Iterable
from functools import partial

import structlog
from asgi_correlation_id import correlation_id
from dbos import DBOS, DBOSClient, DBOSConfig

from .. import tracing
from ..database import Database
from ..http.ids import new_id
from ..process_metrics import ProcessState, exposition
from ..settings import Settings
from .handlers import JobHandler
from .health_server import serving_health
from .library_tables import APPLICATION, APPLICATION_VERSION, QUEUE, SERIALIZER, WORKFLOW
from .process_pool import ProcessLimits
from .queue_poll import POLL_SECONDS, polling
from .runner import JobRunner
from .service_state import ServiceState
from .slots import JOBS_PER_SLOT, Slots
from .supervision import supervise
from .takeover import Takeover, requeue_jobs_of
from .worker_registry import WorkerRegistry

logger = structlog.stdlib.get_logger("wassay.jobs")

GRACE_SECONDS = 5
"""How many seconds a stopping worker lets running jobs finish."""


def work(
    settings: Settings,
    database: Database,
    handlers: Iterable[JobHandler],
    stop: threading.Event,
    check: Callable[[], str | None] = lambda: None,
) -> None:
    """Run jobs until `stop` is set; running jobs then have `GRACE_SECONDS` to finish.

    Jobs that do not finish, or still wait for a slot, are left to other workers.

    Parameters
    ----------
    settings, database
        The settings of the service, and its database.
    handlers
        The handler of each kind of job.
    stop
        Set to stop the worker.
    check
        Returns what is wrong with the machine, as a clause for the operator, or None. The worker
        takes no jobs while it returns a clause.

    Raises
    ------
    WorkerIdTaken
        If a living worker has the id that the settings give this worker.
    """
    worker_id = settings.worker_id or new_id("wrk")
    slots = Slots(settings.worker_concurrency)
    registry = WorkerRegistry(database, worker_id, settings.worker_concurrency)
    state = ServiceState(lambda: check() or runner.start_fault(), slots, registry)
    runner = JobRunner(
        handlers,
        ProcessLimits(
            threads=settings.solve_threads,
            memory_bytes=settings.solve_memory_bytes,
            seconds=settings.solve_seconds,
        ),
        settings.max_attempts,
        slots,
        state.examine,
    )
    registry.register()
    try:
        state.examine()
        runner.warm_up(settings.worker_concurrency)
        library = launch(settings, database, worker_id, runner)
        logger.info("worker started", worker_id=worker_id)
        metrics = partial(exposition, ProcessState(database, settings))
        with (
            polling(library, database.engine, slots),
            serving_health(settings.host, settings.worker_port, state, metrics),
        ):
            supervise(Takeover(worker_id, database, registry, slots), runner, state, stop)
    finally:
        slots.close()
        grace = GRACE_SECONDS if runner.busy else 0
        DBOS.destroy(workflow_completion_timeout_sec=grace, destroy_registry=True)
        runner.stop()
        registry.deregister()
        logger.info("worker stopped", worker_id=worker_id)


def launch(settings: Settings, database: Database, worker_id: str, runner: JobRunner) -> DBOS:
    """Requeue the jobs of an earlier worker with the same id, then launch the job library.

    The library dequeues no jobs before `polling`.
    """
    engine = database.engine
    # With a handler of its own, the library's logger does not print to the console. Its records
    # still reach our handlers.
    logging.getLogger("dbos").addHandler(logging.NullHandler())
    # Use a client, because `DBOS.register_queue` works only after the launch, and takes up to a
    # second.
    client = DBOSClient(system_database_engine=engine, application_name=APPLICATION)
    client.register_queue(
        QUEUE,
        worker_concurrency=JOBS_PER_SLOT * settings.worker_concurrency,
        polling_interval_sec=POLL_SECONDS,
        on_conflict="always_update",
    )
    # The library would requeue these jobs, too, but in a thread for which we do not wait.
    requeue_jobs_of(worker_id, client)
    client.destroy()
    library = DBOS(
        config=DBOSConfig(
            name=APPLICATION,
            system_database_url=settings.resolved_database_url,
            # On SQLite, the library uses its own connections, because ours lock the database for
            # writing before they read.
            system_database_engine=engine if engine.dialect.name == "postgresql" else None,
            application_version=APPLICATION_VERSION,
            executor_id=worker_id,
            serializer=SERIALIZER,
            # Do not listen for messages between workflows, because we send none.
            use_listen_notify=False,
            run_migrations=False,
            log_level="WARNING",
        )
    )

    @DBOS.workflow(name=WORKFLOW)
    def run_job(
        kind: str, job_id: str, request_id: str | None = None, traceparent: str | None = None
    ) -> None:
        # Use no steps: our own transaction publishes the output, so the job library need not store
        # it.
        asked = correlation_id.set(request_id)  # for the log, and for jobs that this job enqueues
        try:
            attributes = {"wassay.job_id": job_id, "wassay.request_id": request_id or ""}
            with (
                structlog.contextvars.bound_contextvars(worker_id=worker_id),
                tracing.span(f"job {kind}", attributes, parent=traceparent),
            ):
                runner.run(kind, job_id)
        finally:
            correlation_id.reset(asked)

    DBOS.listen_queues([])
    DBOS.launch()
    return library

"""A worker: takes jobs from the queue until it is told to stop."""

import logging
import threading
from collections.abc import Iterable

import structlog
from dbos import DBOS, DBOSClient, DBOSConfig
from sqlalchemy.exc import SQLAlchemyError

from app.database import Database
from app.jobs.children import ChildLimits
from app.jobs.handlers import JobHandler, Outcome
from app.jobs.presence import BEAT_SECONDS, Presence
from app.jobs.runner import JobRunner
from app.jobs.schema import APPLICATION, APPLICATION_VERSION, QUEUE, SERIALIZER, WORKFLOW
from app.kit.ids import new_id
from app.settings import Settings

logger = structlog.stdlib.get_logger("wassay.jobs")

WATCH_SECONDS = 0.25
POLL_SECONDS = 0.1


def work(
    settings: Settings,
    database: Database,
    handlers: Iterable[JobHandler],
    stop: threading.Event,
) -> None:
    """Run jobs until `stop` is set; what is being computed then is given back to the queue.

    Jobs that a worker of the same id left behind are taken up at once; those of a worker that
    vanished, when its heartbeat has been missing for `presence.LOST_AFTER`.
    """
    worker_id = settings.worker_id or new_id("wrk")
    runner = JobRunner(
        handlers,
        ChildLimits(threads=settings.solve_threads, memory_bytes=settings.solve_memory_bytes),
    )
    presence = Presence(database, worker_id)
    presence.beat()
    launch(settings, worker_id, runner)
    logger.info("worker started", worker_id=worker_id)
    try:
        watch(worker_id, presence, runner, stop)
    finally:
        runner.stop()
        DBOS.destroy(destroy_registry=True)
        presence.leave()
        logger.info("worker stopped", worker_id=worker_id)


def launch(settings: Settings, worker_id: str, runner: JobRunner) -> None:
    """Declare the one workflow there is, and begin to take jobs."""
    url = settings.resolved_database_url
    # Its records go where ours go; by itself it would print to the console.
    logging.getLogger("dbos").addHandler(logging.NullHandler())
    client = DBOSClient(system_database_url=url, application_name=APPLICATION)
    client.register_queue(
        QUEUE,
        worker_concurrency=settings.worker_concurrency,
        polling_interval_sec=POLL_SECONDS,
        on_conflict="always_update",
    )
    client.destroy()
    DBOS(
        config=DBOSConfig(
            name=APPLICATION,
            system_database_url=url,
            application_version=APPLICATION_VERSION,
            executor_id=worker_id,
            serializer=SERIALIZER,
            run_migrations=False,
            log_level="WARNING",
        )
    )

    @DBOS.step()
    def solve(kind: str, job_id: str) -> Outcome:
        return runner.solve(kind, job_id)

    @DBOS.step()
    def publish(kind: str, job_id: str, outcome: Outcome) -> None:
        runner.publish(kind, job_id, outcome)

    @DBOS.workflow(name=WORKFLOW)
    def run_job(kind: str, job_id: str) -> None:
        publish(kind, job_id, solve(kind, job_id))

    DBOS.listen_queues([QUEUE])
    DBOS.launch()


def watch(worker_id: str, presence: Presence, runner: JobRunner, stop: threading.Event) -> None:
    """Until `stop`: end what is no longer wanted, show signs of life, take over from the dead."""
    watches_per_beat = round(BEAT_SECONDS / WATCH_SECONDS)
    watches = 0
    while not stop.wait(WATCH_SECONDS):
        try:
            runner.end_unwanted()
            if watches % watches_per_beat == 0:
                living = presence.beat()
                if worker_id == living[0]:  # one takes over, lest two start the same job twice
                    take_over_from_the_vanished(living)
            watches += 1
        except SQLAlchemyError:
            logger.warning("the database did not answer", exc_info=True)


def take_over_from_the_vanished(living: list[str]) -> None:
    """Put what a vanished worker was computing back in the queue."""
    begun = DBOS.list_workflows(
        status="PENDING", queue_name=QUEUE, load_input=False, load_output=False
    )
    stranded = [job.workflow_id for job in begun if job.executor_id not in living]
    if stranded:
        logger.warning("taking over from vanished workers", job_ids=stranded)
        DBOS.resume_workflows(stranded, queue_name=QUEUE)

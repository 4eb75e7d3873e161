"""Measure the job library alone, with jobs that do nothing, on a queue like the worker's.

`python -m benchmarks.jobs.empty URL SLOTS JOBS` works off that many jobs. It is a process of its
own, because a process can launch the library only once.
"""

import subprocess
import sys
import time

from dbos import DBOS, DBOSClient, DBOSConfig, EnqueueOptions
from sqlalchemy import create_engine, make_url, text

from app.database import Database
from app.jobs.schema import APPLICATION, APPLICATION_VERSION, QUEUE, SERIALIZER, WORKFLOW
from app.jobs.worker import JOBS_PER_SLOT, POLL_SECONDS

LOOK_SECONDS = 0.2


def empty_jobs_per_second(url: str, slots: int, jobs: int) -> float:
    """Work off empty jobs in another process; return how many it did per second."""
    arguments = [sys.executable, "-m", "benchmarks.jobs.empty", url, str(slots), str(jobs)]
    subprocess.run(arguments, check=True, stdout=sys.stderr)  # noqa: S603 - our own module
    return jobs_per_second(url, jobs)


def jobs_per_second(url: str, jobs: int) -> float:
    """Return how many of the newest jobs were done per second, by the library's own times."""
    schema = "" if make_url(url).get_backend_name() == "sqlite" else "dbos."
    newest = f"SELECT * FROM {schema}workflow_status ORDER BY created_at DESC LIMIT :jobs"  # noqa: S608
    times = text(f"SELECT min(started_at_epoch_ms), max(completed_at) FROM ({newest}) AS newest")  # noqa: S608
    engine = create_engine(url)
    with engine.connect() as connection:
        began, ended = connection.execute(times, {"jobs": jobs}).one()
    engine.dispose()
    return 1000 * jobs / float(ended - began)


def main() -> None:
    url, slots, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    engine = Database(url).engine
    client = DBOSClient(
        system_database_engine=engine, application_name=APPLICATION, serializer=SERIALIZER
    )
    client.register_queue(
        QUEUE, worker_concurrency=JOBS_PER_SLOT * slots, polling_interval_sec=POLL_SECONDS
    )
    options = EnqueueOptions(
        workflow_name=WORKFLOW, queue_name=QUEUE, app_version=APPLICATION_VERSION
    )
    for number in range(jobs):
        client.enqueue(options, number)
    DBOS(
        config=DBOSConfig(
            name=APPLICATION,
            system_database_url=url,
            system_database_engine=engine if engine.dialect.name == "postgresql" else None,
            application_version=APPLICATION_VERSION,
            serializer=SERIALIZER,
            run_migrations=False,
            log_level="WARNING",
        )
    )

    @DBOS.workflow(name=WORKFLOW)
    def nothing(number: int) -> None:
        del number

    DBOS.listen_queues([QUEUE])
    DBOS.launch()
    while client.list_workflows(status=["ENQUEUED", "PENDING"], limit=1):
        time.sleep(LOOK_SECONDS)
    DBOS.destroy()


if __name__ == "__main__":
    main()

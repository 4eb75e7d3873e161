"""Measure the job library alone, with jobs that do nothing, on a queue like the worker's.

`python -m benchmarks.jobs.empty URL SLOTS JOBS` works off that many jobs.
"""

# A process of its own, because a process can launch the library only once.

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dbos import DBOS, DBOSClient, DBOSConfig, EnqueueOptions
from sqlalchemy import bindparam, create_engine, make_url, text

from app.database import Database
from app.jobs.library_tables import APPLICATION, APPLICATION_VERSION, QUEUE, SERIALIZER, WORKFLOW
from app.jobs.queue_poll import POLL_SECONDS
from app.jobs.slots import JOBS_PER_SLOT

LOOK_SECONDS = 0.01


def empty_jobs_per_second(url: str, slots: int, jobs: int) -> float:
    """Work off empty jobs in another process; return how many it did per second."""
    arguments = [sys.executable, "-m", "benchmarks.jobs.empty", url, str(slots), str(jobs)]
    with subprocess.Popen(arguments, stdout=sys.stderr) as process:  # noqa: S603 - our own module
        with looking_at(url) as unfinished:
            while unfinished("ENQUEUED") < jobs:
                time.sleep(LOOK_SECONDS)
        rate = jobs_per_second(url, jobs)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    return rate


def jobs_per_second(url: str, jobs: int) -> float:
    """Wait until all of `jobs` waiting jobs are done; return how many were done per second."""
    with looking_at(url) as unfinished:
        # The library's own times are of no use: it stores whole seconds in SQLite.
        while unfinished("ENQUEUED") == jobs:
            time.sleep(LOOK_SECONDS)
        began = time.perf_counter()
        while unfinished("ENQUEUED", "PENDING"):
            time.sleep(LOOK_SECONDS)
        return jobs / (time.perf_counter() - began)


@contextmanager
def looking_at(url: str) -> Iterator[Callable[..., int]]:
    """Yield a function that counts the jobs in the given states."""
    schema = "" if make_url(url).get_backend_name() == "sqlite" else "dbos."
    query = text(
        f"SELECT count(*) FROM {schema}workflow_status WHERE status IN :states"  # noqa: S608
    ).bindparams(bindparam("states", expanding=True))
    engine = create_engine(url)
    with engine.connect() as connection:

        def unfinished(*states: str) -> int:
            count: int = connection.execute(query, {"states": states}).scalar_one()
            connection.rollback()
            return count

        yield unfinished
    engine.dispose()


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
        time.sleep(20 * LOOK_SECONDS)
    DBOS.destroy()


if __name__ == "__main__":
    main()

"""`python -m app.worker`: a process that computes the jobs which the web process enqueues.

With `--attached`, the worker also stops at the end of its standard input.
"""

import gc
import os
import signal
import sys
import threading

import structlog

from . import tracing
from .arrays.opening import open_store
from .arrays.store import ArrayStore
from .database import Database
from .evaluations.computing.process_messages import StoreTask
from .evaluations.jobs.chunk_job import ChunkJob
from .evaluations.jobs.evaluation_job import EvaluationJob
from .http.logs import configure_logs
from .jobs.handlers import JobHandler
from .jobs.queue import JobQueue
from .jobs.work import work
from .jobs.worker_registry import WorkerIdTaken
from .machine_check import MachineCheck
from .receipts.installation_key import InstallationKey
from .receipts.key_file import KeyFile
from .retention.cleanup import clean_up_hourly
from .settings import Settings, get_settings

logger = structlog.stdlib.get_logger("wassay.worker")

PATIENCE_SECONDS = 15.0


def run_worker(settings: Settings, stop: threading.Event | None = None) -> None:
    """Run jobs until SIGTERM or SIGINT, or until `stop` is set; the schema must be migrated.

    Exit the process if a living worker has the same id.
    """
    stopping = stop or threading.Event()
    tracing.start(settings, "wassay-worker")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    database = Database(settings.resolved_database_url)
    signing = InstallationKey(database, KeyFile(settings.key_file))

    def open_folder() -> ArrayStore:
        settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        store = open_store(settings, database)
        arguments = (database, store, settings, stopping)
        threading.Thread(target=clean_up_hourly, args=arguments, daemon=True).start()
        return store

    # While the check finds a fault, the worker takes no jobs.
    check = MachineCheck(database, open_folder, signing.establish).fault
    try:
        work(settings, database, handlers(settings, database, signing), stopping, check)
    except WorkerIdTaken as taken:
        sys.exit(f"wassay: {taken}")
    finally:
        database.dispose()


def handlers(settings: Settings, database: Database, signing: InstallationKey) -> list[JobHandler]:
    """Return a handler for each kind of job; `signing` is the key that signs receipts."""
    store = StoreTask(
        folder=str(settings.arrays_folder.absolute()),
        bucket=settings.arrays_url,
        copies_bytes=settings.copies_bytes,
    )
    queue = JobQueue(database.engine)
    return [
        EvaluationJob(database, store, queue, signing, settings.max_attempts, settings.cut_seconds),
        ChunkJob(database, store, queue, signing, settings.max_attempts),
    ]


def stop_at_end_of_input(stop: threading.Event) -> None:
    """Start a thread that sets `stop` at the end of standard input.

    If this process has not ended `PATIENCE_SECONDS` later, the thread kills it.
    """

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        logger.warning("the process that started this worker has ended; stopping")
        stop.set()
        threading.Event().wait(PATIENCE_SECONDS)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, name="end-of-input", daemon=True).start()


def main() -> None:
    """Run a worker with the settings from the environment."""
    gc.freeze()  # modules live as long as the process; the collector need not look through them
    settings = get_settings()
    configure_logs(settings.log_level)
    stop = threading.Event()
    # Standard input ends with the process that started this worker.
    if "--attached" in sys.argv[1:]:
        stop_at_end_of_input(stop)
    run_worker(settings, stop)


if __name__ == "__main__":
    main()

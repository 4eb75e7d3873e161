"""`wassay workers`: list the live workers and their jobs."""

import typer

from ..jobs.queue import pending_jobs
from ..jobs.worker_registry import living_workers
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database


@explained()
def workers() -> None:
    """List the live workers, each with its host and process, its start, its slots and its jobs.

    A line also tells if the worker is out of service, or has sent no heartbeat for ten seconds.
    """
    database = prepared_database(get_settings())
    with database.snapshot() as session:
        live, pending = living_workers(session), pending_jobs(session)
    if not live:
        typer.echo("There are no live workers.")
    for worker in live:
        jobs = pending.get(worker.id, [])
        typer.echo(
            f"{worker.id}  process {worker.pid} on {worker.host}  "
            f"since {worker.started_at:%Y-%m-%d %H:%M:%S} UTC  "
            f"slots {worker.concurrency}  jobs {', '.join(jobs) or 'none'}"
            + (f"  OUT OF SERVICE: {worker.fault}" if worker.fault else "")
            + (f"  NO HEARTBEAT for {worker.silent_seconds:.0f} s" if worker.is_silent else "")
        )
    database.dispose()

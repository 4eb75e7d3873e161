"""`wassay workers`: who is alive, and what each does."""

import typer

from ..jobs.queue import pending_jobs
from ..jobs.worker_registry import living_workers
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database


@explained()
def workers() -> None:
    """List the workers that are alive.

    Where each runs, since when, and what it has taken. One of which nothing was heard for ten
    seconds may be frozen: its line ends with that.
    """
    database = prepared_database(get_settings())
    with database.snapshot() as session:
        living, taken = living_workers(session), pending_jobs(session)
    if not living:
        typer.echo("No worker is alive.")
    for worker in living:
        jobs = taken.get(worker.id, [])
        typer.echo(
            f"{worker.id}  process {worker.pid} on {worker.host}  "
            f"since {worker.started_at:%Y-%m-%d %H:%M:%S} UTC  "
            f"in {worker.concurrency} places, has taken {', '.join(jobs) or 'nothing'}"
            + (f"  NOT HEARD OF for {worker.silent_seconds:.0f} s" if worker.is_silent else "")
        )
    database.dispose()

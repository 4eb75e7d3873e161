"""`wassay workers`: who is alive, and what each does."""

import typer

from app.commands.mistakes import explained
from app.commands.preparation import prepared_database
from app.jobs.presence import living_workers
from app.jobs.queue import JobQueue
from app.settings import get_settings


@explained()
def workers() -> None:
    """List the workers that are alive: where each runs, since when, and what it has taken."""
    database = prepared_database(get_settings())
    with database.snapshot() as session:
        living = living_workers(session)
    if not living:
        typer.echo("No worker is alive.")
    taken = JobQueue(database.engine).taken() if living else {}
    for worker in living:
        jobs = taken.get(worker.id, [])
        typer.echo(
            f"{worker.id}  process {worker.pid} on {worker.host}  "
            f"since {worker.started_at:%Y-%m-%d %H:%M:%S} UTC  "
            f"in {worker.concurrency} places, has taken {', '.join(jobs) or 'nothing'}"
        )
    database.dispose()

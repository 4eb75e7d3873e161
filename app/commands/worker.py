"""`wassay worker`: run another worker."""

from typing import Annotated

import typer

from ..http.logs import configure_logs
from ..settings import get_settings
from ..worker import run_worker
from .errors import explained
from .prerequisites import awaited_database


@explained()
def worker(
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Compute this many jobs at the same time, instead of WASSAY_WORKER_CONCURRENCY. "
            "Give all workers of a database the same number: the one that starts last sets how "
            "many jobs each worker may take from the queue at a time.",
        ),
    ] = None,
) -> None:
    """Run another worker. With Postgres, workers can run on any number of machines."""
    settings = get_settings()
    if concurrency is not None:
        settings = settings.model_copy(update={"worker_concurrency": concurrency})
    configure_logs(settings.log_level)
    awaited_database(settings).dispose()
    run_worker(settings)

"""`wassay evaluations`: list failed evaluations, and retry them."""

from typing import Annotated

import typer

from wassay.control_characters import escape_line

from ..accounts.admin_actions import record
from ..evaluations.repository import failed_evaluations
from ..evaluations.retrying import retry_evaluation
from ..jobs.queue import JobQueue
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database

evaluations = typer.Typer(
    help="List failed evaluations, and compute them again.", no_args_is_help=True
)


@evaluations.command()
@explained()
def failed() -> None:
    """List the evaluations that failed, oldest first, with the time and kind of each failure."""
    with prepared_database(get_settings()).snapshot() as session:
        for each in failed_evaluations(session):
            slug = str((each.problem or {}).get("type", "")).rpartition("/")[2]
            typer.echo(escape_line(f"{each.id}  {each.finished_at:%Y-%m-%d %H:%M:%S} UTC  {slug}"))


@evaluations.command()
@explained()
def retry(
    evaluation_ids: Annotated[
        list[str], typer.Argument(help="The ids of the evaluations, as listed by `failed`.")
    ],
) -> None:
    """Retry evaluations that failed because of the service, not because of their inputs.

    Each keeps its id and inputs, and does not count again towards sellers' caps. The command ends
    at the first evaluation that cannot be retried.
    """
    database = prepared_database(get_settings())
    queue = JobQueue(database.engine)
    for evaluation_id in evaluation_ids:
        with database.transaction() as session:
            retry_evaluation(session, queue, evaluation_id)
            record(session, None, "evaluation.retry", evaluation_id)
        typer.echo(f"{evaluation_id} waits for a worker")

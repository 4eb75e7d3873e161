"""`wassay installation`: tell this installation from a copy of it."""

import typer

from ..accounts.admin_actions import record
from ..arrays.installation import installation_id, renew_installation
from ..arrays.opening import open_store
from ..settings import get_settings
from .errors import explained
from .prerequisites import prepared_database

installation = typer.Typer(
    help="Show and change the id that the database and the bucket of the arrays share.",
    no_args_is_help=True,
)


@installation.command()
@explained()
def show() -> None:
    """Print the id of this installation."""
    typer.echo(installation_id(prepared_database(get_settings())))


@installation.command()
@explained()
def renew() -> None:
    """Give this database a new id, after it was copied from another installation's.

    The copy then refuses the original's bucket, whose arrays it would delete otherwise. Set
    WASSAY_ARRAYS_URL to another bucket or prefix, with a copy of the arrays.
    """
    with prepared_database(get_settings()).transaction() as session:
        own = renew_installation(session)
        record(session, None, "installation.renew", own)
    typer.echo(own)


@installation.command()
@explained()
def adopt() -> None:
    """Mark the bucket of WASSAY_ARRAYS_URL as this installation's, even if it is another's.

    Arrays that no row of this database refers to are then deleted after a week. No other
    installation may use that bucket and prefix any more.
    """
    settings = get_settings()
    database = prepared_database(settings)
    own = installation_id(database)
    open_store(settings, database).adopt()
    with database.transaction() as session:
        record(session, None, "installation.adopt", own)
    typer.echo(own)

"""`wassay installation`: show and change the id that tells an installation from its copies."""

import typer

from ..accounts.admin_actions import record
from ..arrays.installation import installation_id, renew_installation
from ..arrays.opening import open_bucket
from ..http.problems import NotFound
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
    """Give this database a new id, because it is a copy of another installation's.

    The copy then refuses the original's bucket, and cannot delete the original's arrays. Copy the
    arrays to another bucket or prefix, and set WASSAY_ARRAYS_URL to that.
    """
    with prepared_database(get_settings()).transaction() as session:
        own = renew_installation(session)
        record(session, None, "installation.renew", own)
    typer.echo(own)


@installation.command()
@explained()
def adopt() -> None:
    """Mark the bucket of WASSAY_ARRAYS_URL as this installation's, even if another has marked it.

    No other installation may use the same bucket and prefix from now on. The hourly cleanup deletes
    arrays older than a week that this database does not refer to.
    """
    settings = get_settings()
    if settings.arrays_url is None:
        raise NotFound(
            "Expected WASSAY_ARRAYS_URL to name the bucket to adopt; it is not set, so the arrays "
            f"are in {settings.arrays_folder.absolute()}, which has no mark. If the service uses a "
            "bucket, set the variable to what its processes have."
        )
    database = prepared_database(settings)
    own = installation_id(database)
    open_bucket(settings.arrays_url, database).adopt()
    with database.transaction() as session:
        record(session, None, "installation.adopt", own)
    typer.echo(own)

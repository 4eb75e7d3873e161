"""Whether the service lives, and whether it can work."""

from fastapi import APIRouter, Request
from sqlalchemy.exc import SQLAlchemyError

from wassay import __version__
from wassay.models import Model

from . import migration
from .kit.dependencies import DatabaseDependency
from .kit.documentation import problems
from .kit.problems import Unavailable

router = APIRouter(tags=["health"])


class Health(Model):
    """The service answers."""

    status: str
    version: str


@router.get("/healthz")
async def read_health() -> Health:
    """Tell that the process lives."""
    return Health(status="alive", version=__version__)


@router.get("/readyz", responses=problems(Unavailable))
def read_readiness(request: Request, database: DatabaseDependency) -> Health:
    """Tell that the database answers with this version's schema, and that our worker starts."""
    try:
        with database.snapshot() as session:
            current = migration.current(session.connection())
    except SQLAlchemyError as error:
        raise Unavailable("The database does not answer.") from error
    if current != migration.head():
        raise Unavailable(
            "The database's schema is not this version's; run `wassay migrate`.",
            expected=migration.head(),
            received=current,
        )
    if request.app.state.worker_cannot_start():
        raise Unavailable("The worker beside this process cannot start; the log says why.")
    return Health(status="ready", version=__version__)

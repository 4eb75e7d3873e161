"""Routes for liveness and readiness probes."""

from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy.exc import SQLAlchemyError

from wassay import __version__
from wassay.models import Model

from .http.dependencies import DatabaseDependency
from .http.documentation import problems
from .http.problems import Unavailable
from .schema import compatibility

router = APIRouter(tags=["health"])


class Health(Model):
    """The state and the version of the service."""

    status: str = Field(description="`alive` or `ready`.")
    version: str = Field(description="The version of the service.")


@router.get("/healthz")
async def read_health() -> Health:
    """Report that the process is alive."""
    return Health(status="alive", version=__version__)


@router.get("/readyz", responses=problems(Unavailable))
def read_readiness(request: Request, database: DatabaseDependency) -> Health:
    """Report that the service is ready, or respond with 503.

    It is ready if the database and the array store respond, and this version can use the database's
    schema. It is not ready while the web process cannot start its worker.
    """
    try:
        with database.snapshot() as session:
            current = compatibility.current(session.connection())
            schema_fault = compatibility.incompatibility(session.connection())
    except SQLAlchemyError as error:
        raise Unavailable(
            "The database does not respond. Try again later, or tell the operator of this service."
        ) from error
    except compatibility.SchemaTooNew as error:
        schema_fault = str(error)
    if schema_fault is not None:
        raise Unavailable(
            schema_fault,
            expected=compatibility.head(),
            received=current,
        )
    if request.app.state.worker_cannot_start():
        raise Unavailable(
            "The worker of this service cannot start. The service's log states the cause."
        )
    if cause := request.app.state.store_probe.cause():
        raise Unavailable(f"The uploaded arrays cannot be reached: {cause}.")
    return Health(status="ready", version=__version__)

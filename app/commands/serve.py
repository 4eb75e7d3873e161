"""`wassay serve`: run the web service."""

import resource
import signal
import socket
import sys
import threading
from typing import Annotated, Any

import structlog
import typer
import uvicorn
from sqlalchemy import URL

from .. import tracing
from ..arrays.opening import open_store
from ..arrays.problems import StorageUnavailable
from ..database import Database
from ..http.connection_timeouts import TimeoutProtocol
from ..http.logs import configure_logs
from ..http.shutdown import SHUTDOWN_SECONDS
from ..main import create_app
from ..settings import Settings
from .errors import explained
from .listening_socket import host_and_port, listening_socket
from .prerequisites import awaited_database
from .supervised_worker import SupervisedWorker

logger = structlog.stdlib.get_logger("wassay.start")

WELCOME = """\
Wassay is listening on {address}
  Swagger UI      {address}/docs
  OpenAPI         {address}/openapi.json
  data            {folder}
  database        {database}

To get a key, in another terminal, with the same WASSAY_* variables:
  {wassay} accounts create --organisation Acme --name "Ada" --scope buyer --scope seller
Then press "Authorize" in Swagger UI and paste it, or set WASSAY_API_KEY for the SDK.
Ctrl-C stops the service.
"""


class Server(uvicorn.Server):
    """A server that sets the event `stopping` when it shuts down, so that event streams end."""

    def __init__(self, config: uvicorn.Config, stopping: threading.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Signal the shutdown to the application, then finish the open requests."""
        self._stopping.set()
        await super().shutdown(sockets)


@explained()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Listen on this address instead of WASSAY_HOST.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(help="Listen on this port instead of WASSAY_PORT; 0 chooses a free port."),
    ] = None,
    with_worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Run one worker beside the web process.")
    ] = True,
) -> None:
    """Run the web service with one worker until interrupted."""
    options: dict[str, Any] = {"host": host, "port": port}
    settings = Settings(**{name: value for name, value in options.items() if value is not None})
    configure_logs(settings.log_level)
    tracing.start(settings, "wassay-web")
    allow_connections()
    listener = listening_socket(settings)
    database = awaited_database(settings)
    claim_bucket(settings, database)
    database.dispose()
    listener.listen()
    address = (
        f"http://{host_and_port(settings.host, listener.getsockname()[1])}{settings.root_path}"
    )
    typer.echo(
        WELCOME.format(
            address=address,
            folder=settings.data_folder.absolute(),
            database=public_address(database.engine.url),
            wassay=sys.argv[0],
        )
    )
    application = create_app(settings)
    config = uvicorn.Config(
        application,
        http=TimeoutProtocol,
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    server = Server(config, application.state.stopping)
    # After its graceful shutdown, Uvicorn sends the signal to this process again. Exit then instead
    # of being killed, so that the worker is terminated.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if with_worker:
        with SupervisedWorker() as supervised:
            application.state.worker_cannot_start = supervised.cannot_start
            server.run(sockets=[listener])
    else:
        server.run(sockets=[listener])


def claim_bucket(settings: Settings, database: Database) -> None:
    """Mark the bucket of the arrays as this installation's.

    Only log a warning if the bucket does not respond or belongs to another installation.
    """
    # Workers refuse an unmarked bucket. While a fault lasts, `/readyz` reports it.
    try:
        open_store(settings, database).check()
    except StorageUnavailable as error:
        logger.warning("the uploaded arrays cannot be reached", cause=error.cause)


def allow_connections() -> None:
    """Let this process open as many files, and so connections, as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def public_address(database: URL) -> str:
    """Format the address of a database without its password and its parameters."""
    return database.set(query={}).render_as_string(hide_password=True)

"""`wassay serve`, `wassay worker` and `wassay migrate`."""

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

from .. import least_privilege, tracing
from ..arrays.opening import open_store
from ..arrays.problems import StorageUnavailable
from ..database import Database
from ..http.connection_timeouts import TimeoutProtocol
from ..http.logs import configure_logs
from ..main import create_app
from ..settings import Settings, get_settings
from ..worker import run_worker
from .errors import explained
from .prerequisites import awaited_database, migrate_database
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


SHUTDOWN_SECONDS = 5
"""How long open requests, such as slow uploads, may take after the shutdown has begun."""


class Server(uvicorn.Server):
    """A server that sets the event `stopping` at its shutdown, so that event streams end."""

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
        f"http://{_host_and_port(settings.host, listener.getsockname()[1])}{settings.root_path}"
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
    """Mark the bucket of the arrays as this installation's; workers refuse an unmarked bucket.

    If the bucket does not respond or belongs to another installation, log that and go on; `/readyz`
    reports the fault as long as it lasts.
    """
    try:
        open_store(settings, database).check()
    except StorageUnavailable as error:
        logger.warning("the uploaded arrays cannot be reached", cause=error.cause)


def allow_connections() -> None:
    """Raise this process's limit of open files, and so of connections, as far as allowed."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def public_address(database: URL) -> str:
    """Format the address of a database without its password and its parameters."""
    return database.set(query={}).render_as_string(hide_password=True)


def listening_socket(settings: Settings) -> socket.socket:
    """Bind a socket to the host and port of the settings, so that a bad address fails at once.

    The socket names the protocol TCP, because asyncio sets TCP_NODELAY only on such sockets.
    Without TCP_NODELAY, the body of a response is sent only once the client has acknowledged the
    headers, often 40 ms later.
    """
    try:
        family, address = _resolved(settings)
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        address = _host_and_port(settings.host, settings.port)
        typer.echo(
            f"wassay: cannot listen on {address}: {error.strerror}. Choose another port with "
            "--port (0: any free port) or WASSAY_PORT, or another host with --host or WASSAY_HOST.",
            err=True,
        )
        raise typer.Exit(1) from error
    return listener


def _resolved(settings: Settings) -> tuple[socket.AddressFamily, Any]:
    """Return the family and the socket address of the settings' host and port; prefer IPv4."""
    addresses = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
    family, *_, address = min(addresses, key=lambda each: each[0] != socket.AF_INET)
    return family, address


def _host_and_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@explained()
def worker(
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Compute this many jobs at the same time, instead of WASSAY_WORKER_CONCURRENCY, "
            "in every worker of the database.",
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


@explained()
def migrate(
    grant_to: Annotated[
        str | None,
        typer.Option(
            metavar="ROLE",
            help="Grant this Postgres role exactly what the service needs.",
        ),
    ] = None,
) -> None:
    """Migrate the database to the newest schema."""
    settings = get_settings()
    if settings.database_url is None:
        settings.data_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings.resolved_database_url)
    if grant_to is not None and database.engine.dialect.name != "postgresql":
        typer.echo(
            "wassay: --grant-to needs Postgres, because SQLite has no roles. Leave it out.",
            err=True,
        )
        raise typer.Exit(1)
    migrated = migrate_database(database, settings)
    if grant_to is not None and migrated:
        with database.engine.begin() as connection:
            least_privilege.grant(connection, grant_to)
    database.dispose()
    typer.echo(
        "The schema is up to date."
        if migrated
        else "The schema is newer than this version of Wassay, which can use it all the same. "
        "Nothing was changed."
    )

"""A worker's own `/healthz`, `/readyz` and `/metrics`, for programs that watch the process."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

from ..process_metrics import MEDIA_TYPE
from .service_state import ServiceState

FROZEN_LOOP_SECONDS = 30.0
"""After how many seconds without a round of the supervision loop a worker counts as frozen."""
READ_SECONDS = 5.0


class HealthServer(ThreadingHTTPServer):
    """A server with threads of its own, so that the worker's jobs do not delay responses."""

    daemon_threads = True

    def __init__(
        self, host: str, port: int, state: ServiceState, metrics: Callable[[], bytes]
    ) -> None:
        self.state = state
        self.metrics = metrics
        super().__init__((host, port), HealthHandler)


class HealthHandler(BaseHTTPRequestHandler):
    """Responds to one probe or one scrape of the metrics."""

    timeout = READ_SECONDS

    def do_GET(self) -> None:
        """Send the metrics, or answer a probe with 200 or 503.

        The status is 503 for `/healthz` if the worker is frozen, and for `/readyz` if its machine
        has a fault.
        """
        server = cast("HealthServer", self.server)
        state = server.state
        if self.path == "/healthz":
            alive = state.silent_seconds < FROZEN_LOOP_SECONDS
            self._respond_to_probe(alive, {"status": "alive" if alive else "frozen"})
        elif self.path == "/readyz":
            fault = state.fault
            body = {"status": "ready"} if fault is None else {"status": "unready", "fault": fault}
            self._respond_to_probe(fault is None, body)
        elif self.path == "/metrics":
            self._respond(HTTPStatus.OK, MEDIA_TYPE, server.metrics())
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _respond_to_probe(self, well: bool, body: dict[str, str]) -> None:
        status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
        self._respond(status, "application/json", json.dumps(body).encode())

    def _respond(self, status: HTTPStatus, media_type: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Log nothing, because probes and scrapes are routine."""


@contextmanager
def serving_health(
    host: str, port: int | None, state: ServiceState, metrics: Callable[[], bytes]
) -> Iterator[None]:
    """Respond to probes and scrapes while the block runs; do nothing if the port is None.

    `state` tells whether the worker takes jobs, and `metrics` returns what a scrape reads.
    """
    if port is None:
        yield
        return
    with HealthServer(host, port, state, metrics) as server:
        threading.Thread(target=server.serve_forever, name="health", daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()

"""A worker's own `/healthz` and `/readyz`, for those who supervise its process."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

from .service_state import ServiceState

FROZEN_SECONDS = 30.0
"""How long the supervision loop may take for a round before the worker counts as frozen."""
READ_SECONDS = 5.0


class HealthServer(ThreadingHTTPServer):
    """Responds from threads of its own, whatever the worker computes."""

    daemon_threads = True

    def __init__(self, host: str, port: int, state: ServiceState) -> None:
        self.state = state
        super().__init__((host, port), HealthHandler)


class HealthHandler(BaseHTTPRequestHandler):
    """Responds to one probe."""

    timeout = READ_SECONDS

    def do_GET(self) -> None:
        """Respond 200 or 503; name the fault of a worker that is out of service."""
        state = cast("HealthServer", self.server).state
        if self.path == "/healthz":
            alive = state.silent_seconds < FROZEN_SECONDS
            self._respond(alive, {"status": "alive" if alive else "frozen"})
        elif self.path == "/readyz":
            fault = state.fault
            body = {"status": "ready"} if fault is None else {"status": "unready", "fault": fault}
            self._respond(fault is None, body)
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _respond(self, well: bool, body: dict[str, str]) -> None:
        content = json.dumps(body).encode()
        self.send_response(HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Log nothing: probes are routine."""


@contextmanager
def serving_health(host: str, port: int | None, state: ServiceState) -> Iterator[None]:
    """Respond to probes during the block, unless the port is None."""
    if port is None:
        yield
        return
    with HealthServer(host, port, state) as server:
        threading.Thread(target=server.serve_forever, name="health", daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()

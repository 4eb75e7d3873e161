"""Count requests and their latencies by route template."""

import time

from prometheus_client import Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


def request_seconds() -> Histogram:
    """Create the request histogram of one web process."""
    return Histogram(
        "wassay_http_request_seconds",
        "Seconds until the response starts, of requests to this web process.",
        ["method", "route", "status"],
        buckets=BUCKETS,
        registry=None,
    )


class RequestMetrics:
    """Observe requests by route template, because callers could invent any number of paths."""

    def __init__(self, app: ASGIApp, seconds: Histogram) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; observe it when its response starts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()

        async def observe(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in METHODS else "other"
                route = getattr(scope.get("route"), "path", "none")
                status = f"{message['status'] // 100}xx"
                elapsed = time.perf_counter() - started
                self._seconds.labels(method, route, status).observe(elapsed)
            await send(message)

        await self._app(scope, receive, observe)

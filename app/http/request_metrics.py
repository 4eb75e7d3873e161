"""Count requests, and time their responses, by the template of the route."""

import time

from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OWN_PATH = "/metrics"
"""Calls of this path are not counted, because Prometheus times its scrapes itself."""
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

requests = Counter(
    "wassay_http_requests",
    "Requests to this web process. Calls of unknown paths share the route `none`.",
    ["method", "route", "status"],
)
durations = Histogram(
    "wassay_http_request_duration_seconds",
    "Seconds from a request to the start of its response.",
    ["method", "route"],
    buckets=(0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
)


class RequestMetrics:
    """Count requests by the template of their route."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and count it when its response starts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()

        async def observe(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in METHODS else "other"
                route = getattr(scope.get("route"), "path", "none")
                if route != OWN_PATH:
                    requests.labels(method, route, message["status"]).inc()
                    durations.labels(method, route).observe(time.perf_counter() - started)
            await send(message)

        await self._app(scope, receive, observe)

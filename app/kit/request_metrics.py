"""How many requests were answered, how, and how soon, by the template of their route."""

import time

from prometheus_client import Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
BUCKETS = (0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


def request_seconds() -> Histogram:
    """Make the histogram that one web process counts its requests in."""
    return Histogram(
        "wassay_http_request_seconds",
        "Seconds until the answer begins, of the requests to this web process.",
        ["method", "route", "status"],
        buckets=BUCKETS,
        registry=None,
    )


class RequestMetrics:
    """Observe every request: its route's template, never its path, which anybody can make up."""

    def __init__(self, app: ASGIApp, seconds: Histogram) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request and observe it when its answer begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def observe(message: Message) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in METHODS else "other"
                route = getattr(scope.get("route"), "path", "none")
                status = f"{message['status'] // 100}xx"
                took = time.perf_counter() - began
                self._seconds.labels(method, route, status).observe(took)
            await send(message)

        await self._app(scope, receive, observe)

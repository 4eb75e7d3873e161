"""Record each request as a span, which the jobs that it enqueues continue."""

from asgi_correlation_id import correlation_id
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..tracing import span
from .request_metrics import METHODS

UNTRACED = {"/metrics", "/healthz", "/readyz"}
"""Paths that are not recorded, because Prometheus and supervisors call them every few seconds."""


class RequestTraces:
    """Record each request as the root span of a trace, named after the template of its route.

    Health checks and requests for metrics are not recorded.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and record a span until its response has ended."""
        if scope["type"] != "http" or scope["path"] in UNTRACED:
            await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in METHODS else "other"
        attributes = {
            "http.request.method": method,
            "wassay.request_id": correlation_id.get() or "",
        }
        # A root span: with the caller's `traceparent`, anybody could choose which calls are
        # sampled, and add spans to the traces of others.
        with span(method, attributes, is_call=True) as current:

            async def note(message: Message) -> None:
                if current is not None and message["type"] == "http.response.start":
                    route = getattr(scope.get("route"), "path", "none")
                    current.update_name(f"{method} {route}")
                    current.set_attribute("http.route", route)
                    current.set_attribute("http.response.status_code", message["status"])
                await send(message)

            await self._app(scope, receive, note)

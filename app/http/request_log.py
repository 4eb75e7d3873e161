"""Log one line per request. Log the traceback of an unhandled exception, and respond with 500."""

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .exception_handlers import unexpected_error_response

log = structlog.stdlib.get_logger("wassay.http")


class RequestLog:
    """Log who called, the path, the status and the seconds, but never keys, bodies or queries."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        client = scope["client"][0] if scope.get("client") else None
        status: int | None = None

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting_status)
        except Exception:
            log.exception("unexpected", method=scope["method"], path=scope["path"])
            if status is not None:
                raise
            await unexpected_error_response()(scope, receive, send_noting_status)
        finally:
            log.info(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status,
                client=client,
                account_id=scope.get("state", {}).get("account_id"),
                seconds=round(time.perf_counter() - started, 4),
            )

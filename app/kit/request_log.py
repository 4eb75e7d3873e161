"""One line of log a request; and for a fault of ours, the traceback in the log and a 500."""

import time

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .exception_handlers import unexpected

log = structlog.stdlib.get_logger("wassay.http")


class RequestLog:
    """Log who asked for what, and how it went: never keys, never bodies, never query strings."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status: int | None = None

        async def note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, note)
        except Exception:
            log.exception("unexpected", method=scope["method"], path=scope["path"])
            if status is not None:
                raise
            await unexpected()(scope, receive, note)
        finally:
            log.info(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status,
                account_id=scope.get("state", {}).get("account_id"),
                seconds=round(time.perf_counter() - began, 4),
            )

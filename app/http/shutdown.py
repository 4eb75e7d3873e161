"""Respond to requests that a shutdown cancels, such as slow uploads."""

import asyncio
import threading

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .exception_handlers import problem_response
from .problems import Unavailable

SHUTDOWN_SECONDS = 5
"""How long open requests, such as slow uploads, may take after the shutdown has begun."""
REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}

log = structlog.stdlib.get_logger("wassay.requests")


class UnavailableAtShutdown:
    """Respond with 503 to a request that a shutdown cancels, if the request is safe to repeat.

    A GET, HEAD, PUT or DELETE is safe to repeat if its response has not begun.

    Parameters
    ----------
    app
        The wrapped application.
    stopping
        Set when the service begins to shut down.
    """

    def __init__(self, app: ASGIApp, stopping: threading.Event) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request. If a shutdown cancels one that is safe to repeat, respond with 503."""
        started = False

        async def send_noting_start(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, send_noting_start)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            repeatable = scope["type"] == "http" and scope["method"] in REPEATABLE
            if task is None or started or not (self._stopping.is_set() and repeatable):
                raise
            task.uncancel()
            log.warning("request cancelled by shutdown")
            problem = Unavailable("The service is shutting down. Try again in a moment.")
            await problem_response(problem)(scope, receive, send)

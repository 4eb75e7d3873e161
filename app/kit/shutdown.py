"""The answer to a request that the service's shutdown cut off, such as a slow upload."""

import asyncio
import threading

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .exception_handlers import problem_response
from .problems import Unavailable

REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}

log = structlog.stdlib.get_logger("wassay.requests")


class UnavailableAtShutdown:
    """Answers 503 to what may be repeated, whether or not it was done; cuts off all else.

    Parameters
    ----------
    app
        What the middleware is around.
    stopping
        Set when the service is told to stop. Other cancellations pass.
    """

    def __init__(self, app: ASGIApp, stopping: threading.Event) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        started = False

        async def say(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, say)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            repeatable = scope["type"] == "http" and scope["method"] in REPEATABLE
            if task is None or started or not (self._stopping.is_set() and repeatable):
                raise
            task.uncancel()
            log.warning("cut off by shutdown")
            answer = problem_response(Unavailable("The service stops. Try again in a moment."))
            await answer(scope, receive, send)

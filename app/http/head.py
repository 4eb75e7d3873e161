"""Answer HEAD with the status and headers of GET, without the body (RFC 9110 §9.3.2)."""

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """Handle HEAD on every route like GET, and drop the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request. If it is a HEAD, cancel its handler once the headers are sent."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        # Without the cancellation, the handler would read an event stream or a large array to its
        # end.
        with anyio.CancelScope() as handling:

            async def send_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    scope["method"] = "HEAD"  # as the server, the log and the metrics expect
                    await send(message)
                    await send({"type": "http.response.body"})
                    handling.cancel()

            scope["method"] = "GET"
            await self._app(scope, receive, send_headers)

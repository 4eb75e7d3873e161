"""HEAD: what GET answers, without the body (RFC 9110 §9.3.2)."""

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """Answer HEAD with the status and the headers of GET, on every route."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; of a HEAD, leave as soon as the headers are sent."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        # A stream of events or a large array would otherwise be read to its end, for nobody.
        with anyio.CancelScope() as answering:

            async def send_headers(message: Message) -> None:
                if message["type"] == "http.response.start":
                    scope["method"] = "HEAD"  # as the server, the log and the metrics know it
                    await send(message)
                    await send({"type": "http.response.body"})
                    answering.cancel()

            scope["method"] = "GET"
            await self._app(scope, receive, send_headers)

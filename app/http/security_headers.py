"""Set headers that keep responses out of caches, and stop browsers from guessing their type."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PRIVATE = "/v1/"


class SecurityHeaders:
    """Set `Cache-Control: no-store` on all responses of the API, and `nosniff` on all responses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and set the headers of its response."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                # A response depends on the key, which shared caches ignore. A browser's cache would
                # leave data on the disk of a machine on which somebody pasted a key.
                if PRIVATE in scope["path"]:
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, send_with_headers)

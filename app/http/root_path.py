"""Serve under a path prefix behind a proxy, such as `/wassay` of `https://host/wassay/…`."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RootPath:
    """Serve under a path prefix, whether or not the proxy strips the prefix.

    Parameters
    ----------
    app
        The application, whose routes do not contain the prefix.
    root_path
        The prefix. It starts with a slash and does not end with one.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app = app
        self._root = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and prefix the `Location` of its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path != self._root and not path.startswith(f"{self._root}/"):
            path = self._root + path
        # Set both, because ASGI requires that the path begins with the root path.
        scope["root_path"], scope["path"] = self._root, path

        async def send_located(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("Location", "").startswith("/"):
                    headers["Location"] = self._root + headers["Location"]
            await send(message)

        await self._app(scope, receive, send_located)

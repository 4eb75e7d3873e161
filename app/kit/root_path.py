"""The path that a proxy serves the service under, such as `/wassay` of `https://host/wassay/…`."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class RootPath:
    """Serve under a path, whether or not the proxy has removed it from what it passes on.

    Parameters
    ----------
    app
        The application, which speaks of its own paths only.
    root_path
        Begins with a slash, and ends with none.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app = app
        self._root = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; where the answer says a location, say it under the root path."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path != self._root and not path.startswith(f"{self._root}/"):
            path = self._root + path
        # Both as ASGI has them: the path includes the root path.
        scope["root_path"], scope["path"] = self._root, path

        async def send_located(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("Location", "").startswith("/"):
                    headers["Location"] = self._root + headers["Location"]
            await send(message)

        await self._app(scope, receive, send_located)

"""The answer to a body that is too large.

The framework counts the bytes and stops reading at the limit, but says so in plain text.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.kit.problem_answers import problem_response
from app.kit.problems import BodyTooLarge


class BodyLimitProblems:
    """Turn the framework's plain 413 into a problem.

    Parameters
    ----------
    app
        The application inside.
    max_json_bytes
        What the limit of JSON bodies is, to say it.
    """

    def __init__(self, app: ASGIApp, max_json_bytes: int) -> None:
        self._app = app
        self._max_json_bytes = max_json_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on but the plain 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = False

        async def say(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                refused = message["status"] == BodyTooLarge.status and not any(
                    name.lower() == b"content-type" and value.startswith(b"application/problem")
                    for name, value in message["headers"]
                )
                if refused:
                    problem = BodyTooLarge(
                        f"A JSON body may have {self._max_json_bytes} bytes; more came. "
                        "Larger arrays travel as application/x-npy.",
                        expected=self._max_json_bytes,
                    )
                    await problem_response(problem)(scope, receive, send)
            if not refused:
                await send(message)

        await self._app(scope, receive, say)

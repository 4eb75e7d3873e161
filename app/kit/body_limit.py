"""The answer to a JSON body that is too large.

The framework counts the bytes and stops reading at the limit. Where the length was declared, it
answers in plain text itself; where it was not, it raises. Both become one problem here.
"""

from functools import partial

from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .exception_handlers import problem_response
from .problems import BodyTooLarge


def install(app: FastAPI, max_json_bytes: int) -> None:
    """Answer with the problem wherever the framework refuses a body for its length."""
    refusal = partial(_refusal, max_json_bytes)

    @app.exception_handler(BodyTooLarge.status)
    async def _raised(_request: Request, _error: Exception) -> Response:
        return refusal()

    app.add_middleware(_PlainRefusals, refusal=refusal)


def _refusal(max_json_bytes: int) -> Response:
    return problem_response(
        BodyTooLarge(
            f"A JSON body may have {max_json_bytes} bytes; more came. "
            "Larger arrays travel as application/x-npy.",
            expected=max_json_bytes,
        )
    )


class _PlainRefusals:
    def __init__(self, app: ASGIApp, refusal: partial[Response]) -> None:
        self._app = app
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def say(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 413:
                refused = (b"content-type", b"text/plain; charset=utf-8") in message["headers"]
                if refused:
                    await self._refusal()(scope, receive, send)
            if not refused:
                await send(message)

        await self._app(scope, receive, say)

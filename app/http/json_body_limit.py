"""Replace both of the framework's refusals of large JSON bodies by one problem."""

from functools import partial

from fastapi import FastAPI, Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .exception_handlers import problem_response
from .problems import BodyTooLarge


def install(app: FastAPI, max_json_bytes: int) -> None:
    """Respond with `BodyTooLarge` if the framework refuses a body because of its size."""
    refusal = partial(_refusal, max_json_bytes)

    # The framework raises an exception if the received bytes exceed the limit.
    @app.exception_handler(BodyTooLarge.status)
    async def _raised(_request: Request, _error: Exception) -> Response:
        return refusal()

    # The framework sends plain text if `Content-Length` exceeds the limit.
    app.add_middleware(_PlainRefusals, refusal=refusal)


def _refusal(max_json_bytes: int) -> Response:
    return problem_response(
        BodyTooLarge(
            f"Expected a JSON body of at most {max_json_bytes} bytes; received more. "
            "Send larger arrays as application/x-npy.",
            expected=max_json_bytes,
        )
    )


class _PlainRefusals:
    """Replace the framework's plain-text 413 by a problem."""

    def __init__(self, app: ASGIApp, refusal: partial[Response]) -> None:
        self._app = app
        self._refusal = refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def replace_refusal(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 413:
                refused = (b"content-type", b"text/plain; charset=utf-8") in message["headers"]
                if refused:
                    await self._refusal()(scope, receive, send)
            if not refused:
                await send(message)

        await self._app(scope, receive, replace_refusal)

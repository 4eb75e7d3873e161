"""Close connections whose peers send a request too slowly, or do not read the response."""

import asyncio
import random
from functools import lru_cache
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .exception_handlers import problem_response
from .problems import Problem


class RequestTimeout(Problem):
    """The headers or the body of the request arrived too slowly."""

    slug, title, status = "request-timeout", "Request timeout", 408


@lru_cache(maxsize=8)  # because many timers may end at once
def _refusal(detail: str) -> bytes:
    """Return the bytes of a response with status 408."""
    refusal = problem_response(RequestTimeout(detail))
    headers = (*refusal.raw_headers, (b"connection", b"close"))
    lines = [b"HTTP/1.1 408 Request Timeout", *(b": ".join(header) for header in headers)]
    return b"\r\n".join([*lines, b"", bytes(refusal.body)])


class TimeoutProtocol(H11Protocol):
    """Uvicorn's protocol, with limits on how long it waits.

    Attributes
    ----------
    header_seconds
        How long the headers of a request may take.
    body_seconds, body_bytes
        At least `body_bytes` of a body must arrive every `body_seconds`.
    reading_seconds
        How long a caller may leave a full buffer of the response unread.
    """

    header_seconds: ClassVar[float] = 10.0
    body_seconds: ClassVar[float] = 20.0
    body_bytes: ClassVar[int] = 20 * 1024
    reading_seconds: ClassVar[float] = 60.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._awaited: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the headers."""
        super().connection_made(transport)
        # Uvicorn limits only the time between two requests.
        self._await("headers")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        self._await(None)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received bytes, and set the timer for what is missing of the request."""
        self._received += len(data)
        super().data_received(data)
        self._await(self._awaited_now())

    def on_response_complete(self) -> None:
        """Set the timer for the missing part of the body, or for the next request's headers."""
        super().on_response_complete()
        self._await(self._awaited_now())

    def pause_writing(self) -> None:
        """Start a timer that closes the connection unless its peer reads in time."""
        super().pause_writing()
        self._unread_timer = self.loop.call_later(self.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer for the unread response, and continue to write."""
        super().resume_writing()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _awaited_now(self) -> str | None:
        """Return which part of a request has begun but not ended, "headers" or "body", or None."""
        if self.transport.is_closing():
            return None
        if self.conn.their_state is h11.SEND_BODY:
            return "body"
        is_begun = self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]
        return "headers" if is_begun else None

    def _await(self, awaited: str | None) -> None:
        """Start the timer for the awaited part of a request, unless it runs already.

        None stops the timer.
        """
        if awaited == self._awaited:
            return
        self._awaited = awaited
        if awaited is None:
            self._received = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if awaited == "headers":
            # Random, so that connections opened together are not closed together.
            seconds = self.header_seconds * random.uniform(1, 1.5)  # noqa: S311 - no secret
            self._timer = self.loop.call_later(seconds, self._check_headers)
        elif awaited == "body":
            self._timer = self.loop.call_later(self.body_seconds, self._check_body)

    def _check_body(self) -> None:
        if self.cycle.response_complete:
            self.transport.close()
        elif self._received < self.body_bytes and not self.flow.read_paused:
            self._refuse(
                f"Expected at least {self.body_bytes} bytes of the body in {self.body_seconds:g} "
                f"s; received {self._received}. Try again over a faster connection."
            )
        else:
            self._received = 0
            self._timer = self.loop.call_later(self.body_seconds, self._check_body)

    def _check_headers(self) -> None:
        if self.conn.trailing_data[0]:
            self._refuse(
                f"Expected all headers within {self.header_seconds:g} s; received only a part of "
                "them. Try again over a faster connection."
            )
        self.transport.close()

    def _refuse(self, detail: str) -> None:
        """Respond with 408 if no response has begun; then close the connection."""
        if self._awaited == "headers" or not self.cycle.response_started:
            self.transport.write(_refusal(detail))
        self.transport.close()

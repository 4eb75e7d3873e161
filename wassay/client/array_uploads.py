"""Uploading arrays: whole, from where a connection broke, or in parts that a proxy lets pass."""

from __future__ import annotations

from http import HTTPStatus
from typing import Protocol

import httpx
from pydantic import ValidationError

from wassay.client.connection.arrays import ArrayBody
from wassay.client.connection.calls import part_call, upload_call, written_digest
from wassay.client.connection.flows import Call, Flow
from wassay.client.errors import TooLargeError, UnexpectedResponseError
from wassay.models import PartialArray

RESUMED_FROM_BYTES = 2**24
"""Arrays from here on are not sent from the beginning again when the connection breaks."""
FIRST_PART_BYTES = 2**20
"""What nginx takes unless it is told otherwise; parts grow from here while they pass."""
SMALLEST_PART_BYTES = 2**16


class Send(Protocol):
    """Sends a call, again where that is safe; before another attempt, `again` says what is left."""

    def __call__(self, call: Call, *, again: Again | None = None) -> Flow[httpx.Response]:
        """Return the successful answer."""


class Again(Protocol):
    """Makes the call that sends what did not arrive."""

    def __call__(self) -> Flow[Call]:
        """Return the call."""


class ArrayUploads:
    """Uploads to one service, which learn from each other what a proxy in front lets pass."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._refused: int | None = None
        self._passed: int | None = None

    def put(self, path: tuple[str, ...], body: ArrayBody) -> Flow[httpx.Response]:
        """Upload an array, and return the answer to the whole.

        Raises
        ------
        TooLargeError
            When the service does not take it, or a proxy not even small parts of it.
        """
        size = self.size_for(body.length)
        if body.length < RESUMED_FROM_BYTES and size == body.length:
            try:
                return (yield from self._send(_whole_call(path, body)))
            except TooLargeError as refusal:
                size = self.size_after_refusal(refusal, body.length)
        return (yield from _Upload(self, self._send, path, body, size).run())

    def size_for(self, length: int) -> int:
        """Return how much of so many bytes to send in the first call."""
        if self._refused is None or length < self._refused:
            return length
        return self._size_below(self._refused)

    def size_after_refusal(self, refusal: TooLargeError, sent: int) -> int:
        """Return how much to send after so much was refused; raise where less cannot help."""
        if not refusal.is_from_proxy or sent <= SMALLEST_PART_BYTES:
            raise refusal
        self._refused = sent if self._refused is None else min(sent, self._refused)
        return self._size_below(self._refused)

    def size_after_passage(self, sent: int) -> int:
        """Return how much to send after so much has passed: twice that, unless it was refused."""
        self._passed = sent if self._passed is None else max(sent, self._passed)
        return sent if self._refused is not None and 2 * sent >= self._refused else 2 * sent

    def _size_below(self, refused: int) -> int:
        if self._passed is not None and self._passed < refused:
            return self._passed
        return FIRST_PART_BYTES if refused > FIRST_PART_BYTES else refused // 2


class _Upload:
    """One array on its way, in calls of at most `size` bytes."""

    def __init__(
        self,
        uploads: ArrayUploads,
        send: Send,
        path: tuple[str, ...],
        body: ArrayBody,
        size: int,
    ) -> None:
        self._uploads = uploads
        self._send = send
        self._path = path
        self._body = body
        self._size = size
        self._start = 0

    def run(self) -> Flow[httpx.Response]:
        while True:
            try:
                answer: httpx.Response = yield from self._send(self._part(), again=self._go_on)
            except TooLargeError as refusal:
                self._size = self._uploads.size_after_refusal(refusal, self._part_length())
                continue
            if answer.status_code != HTTPStatus.ACCEPTED:
                return answer
            self._size = self._uploads.size_after_passage(self._part_length())
            self._start = _received(answer)

    def _go_on(self) -> Flow[Call]:
        """Ask how much the service has of the array, and return the call that goes on there."""
        headers = {
            "Content-Length": "0",
            "Content-Range": f"bytes */{self._body.length}",
            "Repr-Digest": written_digest(self._body.digest),
        }
        answer = yield from self._send(upload_call(self._path, self._body, headers, ()))
        received = _received(answer)
        if received == 0:
            # A proxy may have refused it all, and have gone before we read so.
            self._size = min(self._size, FIRST_PART_BYTES)
        # The last byte goes in any case: with it, the service takes the whole.
        self._start = min(received, self._body.length - 1)
        return self._part()

    def _part(self) -> Call:
        return part_call(self._path, self._body, self._start, self._start + self._part_length())

    def _part_length(self) -> int:
        return min(self._size, self._body.length - self._start)


def _whole_call(path: tuple[str, ...], body: ArrayBody) -> Call:
    headers = {
        "Content-Length": str(body.length),
        "Content-Digest": written_digest(body.digest),
    }
    return upload_call(path, body, headers, body)


def _received(answer: httpx.Response) -> int:
    try:
        received: int = PartialArray.model_validate_json(answer.content).received
    except ValidationError as error:
        raise UnexpectedResponseError(
            f"{answer.request.url} does not answer as Wassay does: {error}"
        ) from error
    return received

"""Upload arrays: whole, or in parts that a proxy accepts, resuming after a broken connection."""

from __future__ import annotations

from http import HTTPStatus

import httpx
from pydantic import ValidationError

from wassay.client.connection.calls import part_call, upload_call, written_digest
from wassay.client.connection.flows import Call, Flow
from wassay.client.connection.npy import ArrayBody
from wassay.client.connection.retries import RetryingSender
from wassay.client.errors import TooLargeError, UnexpectedResponseError
from wassay.models import PartialArray

RESUMED_FROM_BYTES = 2**24
"""Uploads of at least this size resume after a broken connection.

A smaller upload starts again, unless it is sent in parts.
"""
FIRST_PART_BYTES = 2**20
"""The size to try after a larger body was refused: nginx's default limit."""
SMALLEST_PART_BYTES = 2**16
PATIENCE_SECONDS = 120.0
"""How long an upload is retried without progress, for example while the service restarts."""


class ArrayUploads:
    """Uploads arrays to one service, and remembers which sizes its proxy accepted or refused."""

    def __init__(self, sender: RetryingSender) -> None:
        self._sender = sender
        self._refused: int | None = None
        self._accepted: int | None = None

    def put(self, path: tuple[str, ...], body: ArrayBody) -> Flow[httpx.Response]:
        """Upload an array, and return the service's response to the last part.

        Raises
        ------
        TooLargeError
            If the service refuses the array, or a proxy refuses even small parts of it.
        """
        size = self.size_for(body.length)
        if body.length < RESUMED_FROM_BYTES and size == body.length:
            try:
                call = _whole_call(path, body)
                return (yield from self._sender.send(call, patience=PATIENCE_SECONDS))
            except TooLargeError as refusal:
                size = self.size_after_refusal(refusal, body.length)
        return (yield from _Upload(self, self._sender, path, body, size).run())

    def size_for(self, length: int) -> int:
        """Return how many of the `length` bytes of an array to send in the first call.

        All bytes are sent, unless the proxy has refused this many or fewer.
        """
        if self._refused is None or length < self._refused:
            return length
        return self._size_below(self._refused)

    def size_after_refusal(self, refusal: TooLargeError, sent: int) -> int:
        """Return a smaller size of parts to try after a refusal of `sent` bytes.

        Raises
        ------
        TooLargeError
            If the service itself refused the bytes, or a proxy refused the smallest part.
        """
        if not refusal.is_from_proxy or sent <= SMALLEST_PART_BYTES:
            raise refusal
        self._refused = sent if self._refused is None else min(sent, self._refused)
        return self._size_below(self._refused)

    def size_after_acceptance(self, sent: int) -> int:
        """Return the size of the next part, after a part of `sent` bytes was accepted."""
        self._accepted = sent if self._accepted is None else max(sent, self._accepted)
        # Double the size, unless the proxy refused as much before.
        return sent if self._refused is not None and 2 * sent >= self._refused else 2 * sent

    def _size_below(self, refused: int) -> int:
        if self._accepted is not None and self._accepted < refused:
            return self._accepted
        return FIRST_PART_BYTES if refused > FIRST_PART_BYTES else refused // 2


class _Upload:
    """The upload of one array in parts; the first part has at most `size` bytes."""

    def __init__(
        self,
        uploads: ArrayUploads,
        sender: RetryingSender,
        path: tuple[str, ...],
        body: ArrayBody,
        size: int,
    ) -> None:
        self._uploads = uploads
        self._sender = sender
        self._path = path
        self._body = body
        self._size = size
        self._start = 0

    def run(self) -> Flow[httpx.Response]:
        while True:
            try:
                response: httpx.Response = yield from self._sender.send(
                    self._part(), resume=self._resume, patience=PATIENCE_SECONDS
                )
            except TooLargeError as refusal:
                self._size = self._uploads.size_after_refusal(refusal, self._part_length())
                continue
            if response.status_code != HTTPStatus.ACCEPTED:
                return response
            self._size = self._uploads.size_after_acceptance(self._part_length())
            self._start = _received(response)

    def _resume(self) -> Flow[Call]:
        """Ask how many bytes the service has received, and return the call for the next part."""
        headers = {
            "Content-Length": "0",
            "Content-Range": f"bytes */{self._body.length}",
            "Repr-Digest": written_digest(self._body.digest),
        }
        response = yield from self._sender.send(
            upload_call(self._path, self._body, headers, ()), patience=PATIENCE_SECONDS
        )
        received = _received(response)
        if received == 0:
            # A proxy may have refused the part and closed the connection before its response was
            # read. Retry with a small part.
            self._size = min(self._size, FIRST_PART_BYTES)
        # The service finishes an upload when it receives the last byte, so resend at least that.
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


def _received(response: httpx.Response) -> int:
    try:
        received: int = PartialArray.model_validate_json(response.content).received
    except ValidationError as error:
        raise UnexpectedResponseError(
            f"{response.request.url} does not respond as Wassay does: {error}"
        ) from error
    return received

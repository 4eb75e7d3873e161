"""Receiving an array: streamed to a file, counted, hashed and checked, or nothing left behind."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from anyio import to_thread
from fastapi import Response
from starlette.requests import ClientDisconnect, Request

from app.arrays import json_arrays, npy
from app.arrays.contents import POINTS, Contents, check_entries
from app.arrays.digests import check_content_digest
from app.arrays.media_types import JSON, MediaType, media_type_of
from app.arrays.problems import UploadInterrupted, WrongShape
from app.arrays.received import ReceivedArray
from app.arrays.store import ArrayStore
from app.kit.answers import answer
from app.kit.problems import BodyTooLarge
from app.settings import Settings
from wassay.models import StoredArray

BUFFER_BYTES = 2**20

Kept = TypeVar("Kept")


class ArrayUpload:
    """The body of a request that carries an array, not yet received.

    Parameters
    ----------
    content_digest
        The caller's `Content-Digest`, to be verified.
    weighted
        Of `.npy` bodies: the last column holds the weights.
    """

    def __init__(
        self,
        request: Request,
        store: ArrayStore,
        settings: Settings,
        contents: Contents,
        content_digest: str | None,
        *,
        weighted: bool,
    ) -> None:
        self._request = request
        self._store = store
        self._settings = settings
        self._contents = contents
        self._content_digest = content_digest
        self._weighted = weighted

    async def receive(
        self, *, admit: Callable[[], None], keep: Callable[[ReceivedArray], Kept]
    ) -> Kept:
        """Receive and check the body, and keep it or leave nothing behind.

        Parameters
        ----------
        admit
            Refuses, by raising, an array that may not come at all, before its body is read.
        keep
            Decides in one transaction whether the array fits, and has the store keep it.

        Raises
        ------
        Problem
            Any of `app.arrays.problems`, and what `admit` and `keep` raise.
        """
        await to_thread.run_sync(admit)
        headers = self._request.headers
        media_type = media_type_of(headers.get("content-type"), headers.get("content-encoding"))
        with self._store.incoming() as file:
            digest = await self._stream_into(file, media_type)
            check_content_digest(self._content_digest, digest)
            array = await to_thread.run_sync(self._checked, file, digest, media_type)
            return await to_thread.run_sync(keep, array)

    def _limit(self, media_type: MediaType) -> int:
        """Return the largest body of this type, having refused one that declares more."""
        settings = self._settings
        limit = settings.max_json_bytes if media_type == JSON else settings.max_upload_bytes
        declared = self._request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > limit:
            raise _too_large(media_type, limit, int(declared))
        return limit

    async def _stream_into(self, file: Path, media_type: MediaType) -> str:
        limit = self._limit(media_type)
        sha256 = hashlib.sha256()
        received = 0
        pending = bytearray()
        with file.open("wb") as sink:
            try:
                async for chunk in self._request.stream():
                    received += len(chunk)
                    if received > limit:
                        raise _too_large(media_type, limit, received)
                    pending += chunk
                    if len(pending) >= BUFFER_BYTES:
                        await to_thread.run_sync(_write, sink, sha256, pending)
                        pending = bytearray()
            except ClientDisconnect:
                raise UploadInterrupted(
                    f"The connection ended after {received} bytes of the body."
                ) from None
            await to_thread.run_sync(_write, sink, sha256, pending)
        return sha256.hexdigest()

    def _checked(self, file: Path, digest: str, media_type: MediaType) -> ReceivedArray:
        weighted = self._weighted
        if media_type == JSON:
            content, weighted = json_arrays.to_npy(file.read_bytes(), self._contents)
            file.write_bytes(content)
            digest = hashlib.sha256(content).hexdigest()
        header = npy.read_header(file)
        columns = header.columns - weighted
        self._check_extents(header.rows, columns, weighted=weighted)
        weights = check_entries(file, self._contents, weighted=weighted)
        self._store.secure(file, digest)  # now: once a transaction is open, others wait for it
        return ReceivedArray(
            file, digest, header.rows, columns, weighted, weights, file.stat().st_size
        )

    def _check_extents(self, rows: int, columns: int, *, weighted: bool) -> None:
        settings = self._settings
        widest = settings.max_dimension if self._contents is POINTS else settings.max_points
        if columns == 0:
            raise WrongShape(
                "The last column holds the weights, so at least two are expected; one came.",
                expected="at least 2 columns",
                came=columns + weighted,
            )
        for what, extent, limit in (
            ("rows", rows, settings.max_points),
            ("columns", columns, widest),
        ):
            if extent > limit:
                raise WrongShape(
                    f"At most {limit} {what} of {self._contents.name} are taken; {extent} came.",
                    expected=limit,
                    came=extent,
                )


def kept_response(stored: StoredArray, is_first: bool) -> Response:
    """Return 201 where there was no array before, else 200; tagged with the array's digest."""
    return answer(stored, status=201 if is_first else 200, headers={"ETag": f'"{stored.digest}"'})


def _write(sink: BinaryIO, sha256: "hashlib._Hash", chunk: bytearray) -> None:
    sha256.update(chunk)
    sink.write(chunk)


def _too_large(media_type: MediaType, limit: int, came: int) -> BodyTooLarge:
    advice = " Send larger arrays as application/x-npy." if media_type == JSON else ""
    return BodyTooLarge(
        f"A body of {media_type} may have {limit} bytes; at least {came} came.{advice}",
        expected=limit,
        came=came,
    )

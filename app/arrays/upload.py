"""Receive uploaded arrays: stream each to a file, count and hash its bytes, and validate it."""

import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

from anyio import to_thread
from fastapi import Response
from prometheus_client import Counter
from starlette.requests import ClientDisconnect, Request

from wassay.models import PartialArray, StoredArray

from ..http.heavy_work import HeavyWork
from ..http.problems import BadRequest, BodyTooLarge, Problem
from ..http.responses import json_response
from ..settings import Settings
from . import json_arrays, npy
from .digests import check_content_digest, check_digest
from .entry_validation import POINTS, Contents, check_entries
from .media_types import JSON, NPY, MediaType, media_type_of
from .parts import Part
from .problems import UnsupportedMediaType, UploadInterrupted, WrongPart, WrongShape
from .store import ArrayStore
from .uploaded_array import UploadedArray

BUFFER_BYTES = 2**20

received_bytes = Counter(
    "wassay_upload_received_bytes",
    "Bytes of array uploads that were received, including uploads that were refused.",
)


class ArrayUpload:
    """An array upload whose body has not been read yet.

    Parameters
    ----------
    content_digest
        The value of the caller's `Content-Digest`; None if there is none.
    part
        The range of the body that this request carries; None if it carries the whole body.
    weighted
        Whether the last column of an `.npy` body holds weights.
    """

    def __init__(
        self,
        request: Request,
        store: ArrayStore,
        settings: Settings,
        contents: Contents,
        content_digest: str | None,
        part: Part | None,
        *,
        weighted: bool,
    ) -> None:
        self._request = request
        self._heavy_work: HeavyWork = request.app.state.heavy_work
        self._store = store
        self._settings = settings
        self._contents = contents
        self._content_digest = content_digest
        self._part = part
        self._weighted = weighted

    @property
    def announced_bytes(self) -> int:
        """The size of the whole body that the caller announces, or 0 if the caller announces none.

        The value is at most the largest size of an upload, because a larger body is refused anyway.
        """
        length = self._request.headers.get("content-length", "")
        announced = int(length) if length.isdecimal() else 0
        if self._part is not None:
            announced = self._part.total
        return min(announced, self._settings.max_upload_bytes)

    async def receive(
        self,
        owner: str,
        *,
        admit: Callable[[], None],
        store: Callable[[UploadedArray], Awaitable[Response]],
    ) -> Response:
        """Receive, validate and store the body; leave no file behind on failure.

        If parts of the body are still missing, return 202 with the number of stored bytes.

        Parameters
        ----------
        owner
            The account that uploads.
        admit
            Called before the body is read. Raises if the array may not be uploaded.
        store
            Called with the validated array. Checks in one transaction whether the array fits, and
            stores it.

        Raises
        ------
        Problem
            If the upload is invalid (`app.arrays.problems`), or `admit` or `store` raises it.
        """
        await to_thread.run_sync(admit)
        headers = self._request.headers
        media_type = media_type_of(headers.get("content-type"), headers.get("content-encoding"))
        with self._store.incoming() as file:
            if self._part is None:
                digest = await self._receive_whole(file, media_type)
            else:
                received = await self._receive_part(owner, self._part, media_type, file)
                if self._part.is_status_query or received < self._part.total:
                    so_far = PartialArray(received=received, bytes=self._part.total)
                    return json_response(so_far, status=202)
                digest = self._part.digest
            return await store(await self._validated(owner, file, digest, media_type))

    async def _receive_whole(self, file: Path, media_type: MediaType) -> str:
        limit = self._limit(media_type)
        declared = self._request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > limit:
            raise _body_too_large(media_type, limit, int(declared))
        with file.open("wb") as sink:
            digest, received = await self._stream_into(sink, limit)
        if received > limit:
            raise _body_too_large(media_type, limit, received)
        check_content_digest(self._content_digest, digest)
        return digest

    async def _receive_part(self, owner: str, part: Part, media_type: MediaType, file: Path) -> int:
        """Store a part, and return how many bytes are stored; copy a complete body to `file`."""
        if media_type != NPY:
            raise UnsupportedMediaType(
                f"Expected the media type {NPY} for an upload in parts; received {media_type}.",
                expected=NPY,
                received=media_type,
            )
        if part.total > self._limit(NPY):
            raise _body_too_large(NPY, self._limit(NPY), part.total)
        partial = self._store.partial_bodies.file_of(owner, self._request.url.path, part)
        try:
            if part.is_status_query:
                return partial.stat().st_size
            await self._add(part, partial)
            received = partial.stat().st_size
            if received == part.total:
                # Copy the bytes, because a stale connection may still write to the partial file.
                digest = await to_thread.run_sync(_copy, partial, file)
                partial.unlink()
                check_digest(part.digest, digest)
        except UploadInterrupted:
            raise  # keep the stored bytes, so that the upload can be resumed
        except FileNotFoundError:
            raise WrongPart(
                "Expected a part that starts at byte 0: the stored bytes of this body are gone, "
                "because the body was completed or removed. Start again at byte 0.",
                expected=0,
                received=part.start,
            ) from None
        except (OSError, Problem):
            partial.unlink(missing_ok=True)
            raise
        return received

    async def _add(self, part: Part, partial: Path) -> None:
        length = part.end - part.start
        with partial.open("r+b") as sink:
            sink.seek(part.start)
            digest, received = await self._stream_into(sink, length)
        if received > length:
            raise BadRequest(
                f"Expected {length} bytes, as in Content-Range; received at least {received}.",
                expected=length,
                received=received,
            )
        check_content_digest(self._content_digest, digest)

    def _limit(self, media_type: MediaType) -> int:
        """Return the maximum size of a body of this media type."""
        settings = self._settings
        return settings.max_json_bytes if media_type == JSON else settings.max_upload_bytes

    async def _stream_into(self, sink: BinaryIO, limit: int) -> tuple[str, int]:
        """Write the body to `sink`; return its digest and size, or stop once it exceeds `limit`."""
        sha256 = hashlib.sha256()
        received = 0
        pending = bytearray()
        try:
            async for chunk in self._request.stream():
                received += len(chunk)
                received_bytes.inc(len(chunk))
                if received > limit:
                    break
                pending += chunk
                if len(pending) >= BUFFER_BYTES:
                    await to_thread.run_sync(_write, sink, sha256, pending)
                    pending = bytearray()
        except ClientDisconnect:
            await to_thread.run_sync(_write, sink, sha256, pending)
            raise UploadInterrupted(
                f"The client disconnected after {received} bytes of the body."
            ) from None
        await to_thread.run_sync(_write, sink, sha256, pending)
        return sha256.hexdigest(), received

    async def _validated(
        self, owner: str, file: Path, digest: str, media_type: MediaType
    ) -> UploadedArray:
        weighted = self._weighted
        if media_type == JSON:
            digest, weighted = await self._heavy_work.run(
                owner, file.stat().st_size, partial(json_arrays.convert, file, self._contents)
            )
        header = npy.read_header(file)
        columns = header.columns - weighted
        self._check_extents(header.rows, columns, weighted=weighted)
        size = file.stat().st_size
        weights = await self._heavy_work.run(
            owner, size, partial(check_entries, file, self._contents, weighted=weighted)
        )
        # This may take long, and comes before any transaction, for whose end others would wait.
        await to_thread.run_sync(self._store.make_durable, file, digest)
        return UploadedArray(file, digest, header.rows, columns, weighted, weights, size)

    def _check_extents(self, rows: int, columns: int, *, weighted: bool) -> None:
        settings = self._settings
        widest = settings.max_dimension if self._contents is POINTS else settings.max_points
        if columns == 0:
            raise WrongShape(
                "Expected at least 2 columns, because the last contains the weights; received 1. "
                "Send `weights=uniform` if the array has no weights.",
                expected="at least 2 columns",
                received=columns + weighted,
            )
        for name, extent, limit in (
            ("rows", rows, settings.max_points),
            ("columns", columns, widest),
        ):
            if extent > limit:
                raise WrongShape(
                    f"Expected at most {limit} {name} of {self._contents.name}; received {extent}.",
                    expected=limit,
                    received=extent,
                )


def stored_response(stored: StoredArray, is_first: bool) -> Response:
    """Return the response to an upload: 201 for a first array, 200 for one that replaces another.

    The ETag is the digest of the stored array.
    """
    return json_response(
        stored, status=201 if is_first else 200, headers={"ETag": f'"{stored.digest}"'}
    )


def _copy(partial: Path, file: Path) -> str:
    """Copy a file, and return its SHA-256."""
    sha256 = hashlib.sha256()
    with partial.open("rb") as source, file.open("wb") as sink:
        while chunk := source.read(BUFFER_BYTES):
            _write(sink, sha256, chunk)
    return sha256.hexdigest()


def _write(sink: BinaryIO, sha256: "hashlib._Hash", chunk: bytes | bytearray) -> None:
    sha256.update(chunk)
    sink.write(chunk)


def _body_too_large(media_type: MediaType, limit: int, received: int) -> BodyTooLarge:
    advice = " Send larger arrays as application/x-npy." if media_type == JSON else ""
    return BodyTooLarge(
        f"Expected a body of at most {limit} bytes of {media_type}; received at least {received}."
        f"{advice}",
        expected=limit,
        received=received,
    )

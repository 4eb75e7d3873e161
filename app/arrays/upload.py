"""Receive uploaded arrays: write each to a file, check its digest and validate it."""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
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
from .body_writer import BLOCK_BYTES, BodyWriter, CheckedFile
from .digests import check_content_digest, check_digest
from .entry_validation import POINTS, ArrayCheck, Contents
from .media_types import JSON, NPY, MediaType, media_type_of
from .parts import Part
from .problems import UnsupportedMediaType, UploadInterrupted, WrongPart, WrongShape
from .store import ArrayStore
from .uploaded_array import UploadedArray

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
        """The size that the caller announces for the whole body; 0 if none is announced.

        The value is at most the largest size of an upload.
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
        prepare: Callable[[UploadedArray], Awaitable[Callable[[], Response]]],
    ) -> Response:
        """Receive, validate and store the body; return the response.

        The response is 202 with the number of stored bytes, if parts of the body are still missing
        or the caller only asks for that number.

        Parameters
        ----------
        owner
            The account that uploads.
        admit
            Called before the body is read. Raises if the array may not be uploaded.
        prepare
            Called with the validated array, while its file is made durable. Returns a function that
            stores the array in one transaction and returns the response.

        Raises
        ------
        Problem
            If the upload is invalid (`app.arrays.problems`), or if `admit`, `prepare` or the
            function from `prepare` raises a problem.
        """
        await to_thread.run_sync(admit)
        headers = self._request.headers
        media_type = media_type_of(headers.get("content-type"), headers.get("content-encoding"))
        check = ArrayCheck(
            self._contents, weighted=self._weighted, require_extents=self._require_extents
        )
        with self._store.incoming() as file, ExitStack() as held:
            if self._part is None:
                digest = await self._receive_whole(file, media_type, check)
            else:
                if media_type != NPY:
                    raise UnsupportedMediaType(
                        f"Expected the media type {NPY} for an upload in parts; received "
                        f"{media_type}.",
                        expected=NPY,
                        received=media_type,
                    )
                received = await self._receive_part(owner, self._part, file, check, held)
                if self._part.is_status_query or received < self._part.total:
                    so_far = PartialArray(received=received, bytes=self._part.total)
                    return json_response(so_far, status=202)
                digest = self._part.digest
            if media_type == JSON:
                digest, check = await self._converted(owner, file)
            array = await to_thread.run_sync(self._validated, file, digest, check)
            return await self._stored(array, prepare)

    async def _receive_whole(self, file: Path, media_type: MediaType, check: ArrayCheck) -> str:
        limit = self._limit(media_type)
        declared = self._request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > limit:
            raise _body_too_large(media_type, limit, int(declared))
        with file.open("wb") as sink:
            checked = CheckedFile(sink, None if media_type == JSON else check)
            received = await self._stream_into(checked, limit)
        if received > limit:
            raise _body_too_large(media_type, limit, received)
        check_content_digest(self._content_digest, checked.digest)
        return checked.digest

    async def _receive_part(
        self, owner: str, part: Part, file: Path, check: ArrayCheck, held: ExitStack
    ) -> int:
        """Store a part, and return how many bytes of the body are stored.

        If the body is complete, add its bytes to `check`, and move it to `file`. A body that
        receives a part stays locked until the caller closes `held`.
        """
        if part.total > self._limit(NPY):
            raise _body_too_large(NPY, self._limit(NPY), part.total)
        bodies = self._store.partial_bodies
        partial = bodies.file_of(owner, self._request.url.path, part)
        try:
            if part.is_status_query:
                return partial.stat().st_size
            # Keep the file locked until the caller has stored the body and closes `held`, because
            # unlocked files are removed.
            body = held.enter_context(await to_thread.run_sync(bodies.open_alone, partial))
            try:
                digest = await self._add(part, body, check)
                bodies.require_current(body, partial)
                if digest is None:
                    return os.fstat(body.fileno()).st_size
                check_digest(part.digest, digest)
                bodies.move(body, partial, file)
            except UploadInterrupted:
                raise  # keep the stored bytes, so that the upload can be resumed
            except (OSError, Problem):
                bodies.discard(body, partial)
                raise
        except FileNotFoundError:
            raise WrongPart(
                "Expected a part that starts at byte 0: the stored bytes of this body are gone, "
                "because the body was completed or removed. Start again at byte 0.",
                expected=0,
                received=part.start,
            ) from None
        return part.total

    async def _add(self, part: Part, body: BinaryIO, check: ArrayCheck) -> str | None:
        """Write a part to a body; return the digest of the body, or None if parts are missing.

        Once the body is complete, add its bytes to `check`.
        """
        length = part.end - part.start
        is_whole = length == part.total
        body.seek(part.start)
        checked = CheckedFile(body, check if is_whole else None)
        received = await self._stream_into(checked, length)
        body.flush()
        if received > length:
            raise BadRequest(
                f"Expected {length} bytes, as in Content-Range; received at least {received}.",
                expected=length,
                received=received,
            )
        check_content_digest(self._content_digest, checked.digest)
        if is_whole:
            return checked.digest
        if os.fstat(body.fileno()).st_size < part.total:
            return None
        return await to_thread.run_sync(_read, body, check)

    def _limit(self, media_type: MediaType) -> int:
        """Return how many bytes a body of this media type may have."""
        settings = self._settings
        return settings.max_json_bytes if media_type == JSON else settings.max_upload_bytes

    async def _stream_into(self, file: CheckedFile, limit: int) -> int:
        """Write the request's body to a file; return how many bytes have come.

        Stop once more than `limit` bytes have come.
        """
        received = 0
        async with BodyWriter(file) as body:
            try:
                async for chunk in self._request.stream():
                    received += len(chunk)
                    received_bytes.inc(len(chunk))
                    if received > limit:
                        break
                    await body.write(chunk)
            except ClientDisconnect:
                await body.finish()
                raise UploadInterrupted(
                    f"The client disconnected after {received} bytes of the body."
                ) from None
            await body.finish()
        return received

    async def _converted(self, owner: str, file: Path) -> tuple[str, ArrayCheck]:
        """Replace the JSON in `file` by the same array in `.npy`, for the account `owner`.

        Returns
        -------
        digest, check
            The digest of the `.npy` bytes, and a new check of the array, to which all of these
            bytes were added.
        """
        digest, weighted = await self._heavy_work.run(
            owner, file.stat().st_size, partial(json_arrays.convert, file, self._contents)
        )
        self._weighted = weighted
        check = ArrayCheck(self._contents, weighted=weighted, require_extents=self._require_extents)
        # Read the whole file at once, because JSON bodies are small.
        await to_thread.run_sync(lambda: check.add(file.read_bytes()))
        return digest, check

    def _validated(self, file: Path, digest: str, check: ArrayCheck) -> UploadedArray:
        header = npy.read_header(file)
        self._require_extents(header)
        columns = header.columns - self._weighted
        return UploadedArray(
            file,
            digest,
            header.rows,
            columns,
            self._weighted,
            check.finish(),
            file.stat().st_size,
        )

    async def _stored(
        self,
        array: UploadedArray,
        prepare: Callable[[UploadedArray], Awaitable[Callable[[], Response]]],
    ) -> Response:
        # Flush and prepare before a transaction is open, because others would wait for it.
        flushed, store = await asyncio.gather(
            to_thread.run_sync(self._store.make_durable, array.file, array.digest),
            prepare(array),
            return_exceptions=True,
        )
        if isinstance(flushed, BaseException):
            raise flushed
        if isinstance(store, BaseException):
            raise store
        return await to_thread.run_sync(store)

    def _require_extents(self, header: npy.NpyHeader) -> None:
        settings = self._settings
        columns = header.columns - self._weighted
        widest = settings.max_dimension if self._contents is POINTS else settings.max_points
        if columns == 0:
            raise WrongShape(
                "Expected at least 2 columns, because the last contains the weights; received 1. "
                "Send `weights=uniform` if the array has no weights.",
                expected="at least 2 columns",
                received=header.columns,
            )
        for name, extent, limit in (
            ("rows", header.rows, settings.max_points),
            ("columns", columns, widest),
        ):
            if extent > limit:
                raise WrongShape(
                    f"Expected at most {limit} {name} of {self._contents.name}; received {extent}.",
                    expected=limit,
                    received=extent,
                )


def stored_response(stored: StoredArray, is_first: bool) -> Response:
    """Return the response to an upload: 201 for a first array, 200 for one in place of another."""
    return json_response(
        stored, status=201 if is_first else 200, headers={"ETag": f'"{stored.digest}"'}
    )


def _read(body: BinaryIO, check: ArrayCheck) -> str:
    """Read and check a complete body, and return its SHA-256."""
    body.seek(0)
    sha256 = hashlib.sha256()
    while block := body.read(BLOCK_BYTES):
        sha256.update(block)
        check.add(block)
    return sha256.hexdigest()


def _body_too_large(media_type: MediaType, limit: int, received: int) -> BodyTooLarge:
    advice = " Send larger arrays as application/x-npy." if media_type == JSON else ""
    return BodyTooLarge(
        f"Expected a body of at most {limit} bytes of {media_type}; received at least {received}."
        f"{advice}",
        expected=limit,
        received=received,
    )

"""Receiving an array: streamed to a file, counted, hashed and checked, or nothing left behind."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from anyio import to_thread
from fastapi import Response
from starlette.requests import ClientDisconnect, Request

from wassay.models import PartialArray, StoredArray

from ..kit.problems import BadRequest, BodyTooLarge, Problem
from ..kit.responses import json_response
from ..settings import Settings
from . import json_arrays, npy
from .contents import POINTS, Contents, check_entries
from .digests import check_content_digest, check_digest
from .media_types import JSON, NPY, MediaType, media_type_of
from .parts import Part
from .problems import UnsupportedMediaType, UploadInterrupted, WrongPart, WrongShape
from .store import ArrayStore
from .uploaded_array import UploadedArray

BUFFER_BYTES = 2**20


class ArrayUpload:
    """The body of a request that carries an array, not yet received.

    Parameters
    ----------
    content_digest
        The caller's `Content-Digest`, to be verified.
    part
        Which bytes come, of a body that comes in parts.
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
        part: Part | None,
        *,
        weighted: bool,
    ) -> None:
        self._request = request
        self._store = store
        self._settings = settings
        self._contents = contents
        self._content_digest = content_digest
        self._part = part
        self._weighted = weighted

    async def receive(
        self,
        owner: str,
        *,
        admit: Callable[[], None],
        keep: Callable[[UploadedArray], Response],
    ) -> Response:
        """Receive and check the body, and keep it or leave nothing behind.

        Of a body that comes in parts, 202 says how much is here until all of it is.

        Parameters
        ----------
        owner
            The account whose body it is.
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
            if self._part is None:
                digest = await self._receive_whole(file, media_type)
            else:
                received = await self._receive_part(owner, self._part, media_type, file)
                if self._part.is_question or received < self._part.total:
                    so_far = PartialArray(received=received, bytes=self._part.total)
                    return json_response(so_far, status=202)
                digest = self._part.digest
            array = await to_thread.run_sync(self._checked, file, digest, media_type)
            return await to_thread.run_sync(keep, array)

    async def _receive_whole(self, file: Path, media_type: MediaType) -> str:
        limit = self._limit(media_type)
        declared = self._request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > limit:
            raise _too_large(media_type, limit, int(declared))
        with file.open("wb") as sink:
            digest, received = await self._stream_into(sink, limit)
        if received > limit:
            raise _too_large(media_type, limit, received)
        check_content_digest(self._content_digest, digest)
        return digest

    async def _receive_part(self, owner: str, part: Part, media_type: MediaType, file: Path) -> int:
        """Add what comes to what is here, copy the whole to the file, and return what is here."""
        if media_type != NPY:
            raise UnsupportedMediaType(
                f"Only bodies of {NPY} come in parts; received one of {media_type}.",
                expected=NPY,
                received=media_type,
            )
        if part.total > self._limit(NPY):
            raise _too_large(NPY, self._limit(NPY), part.total)
        here = self._store.partial_bodies.file_of(owner, self._request.url.path, part)
        try:
            if part.is_question:
                return here.stat().st_size
            await self._add(part, here)
            received = here.stat().st_size
            if received == part.total:
                # A copy: a connection that is thought dead may still write to what was here.
                digest = await to_thread.run_sync(_copied, here, file)
                here.unlink()
                check_digest(part.digest, digest)
        except UploadInterrupted:
            raise  # to go on later
        except FileNotFoundError:
            raise WrongPart(
                "What was here of this body is gone: it was completed, or gave way to others. "
                "Begin again with byte 0.",
                expected=0,
                received=part.start,
            ) from None
        except (OSError, Problem):
            here.unlink(missing_ok=True)
            raise
        return received

    async def _add(self, part: Part, here: Path) -> None:
        length = part.end - part.start
        with here.open("r+b") as sink:
            sink.seek(part.start)
            digest, received = await self._stream_into(sink, length)
        if received > length:
            raise BadRequest(
                f"Content-Range says that {length} bytes come; at least {received} came.",
                expected=length,
                received=received,
            )
        check_content_digest(self._content_digest, digest)

    def _limit(self, media_type: MediaType) -> int:
        """Return how many bytes a body of this type may have."""
        settings = self._settings
        return settings.max_json_bytes if media_type == JSON else settings.max_upload_bytes

    async def _stream_into(self, sink: BinaryIO, limit: int) -> tuple[str, int]:
        """Write what comes, hash it and count it; of what goes beyond the limit, nothing."""
        sha256 = hashlib.sha256()
        received = 0
        pending = bytearray()
        try:
            async for chunk in self._request.stream():
                received += len(chunk)
                if received > limit:
                    break
                pending += chunk
                if len(pending) >= BUFFER_BYTES:
                    await to_thread.run_sync(_write, sink, sha256, pending)
                    pending = bytearray()
        except ClientDisconnect:
            await to_thread.run_sync(_write, sink, sha256, pending)
            raise UploadInterrupted(
                f"The connection ended after {received} bytes of the body."
            ) from None
        await to_thread.run_sync(_write, sink, sha256, pending)
        return sha256.hexdigest(), received

    def _checked(self, file: Path, digest: str, media_type: MediaType) -> UploadedArray:
        weighted = self._weighted
        if media_type == JSON:
            content, weighted = json_arrays.to_npy(file.read_bytes(), self._contents)
            file.write_bytes(content)
            digest = hashlib.sha256(content).hexdigest()
        header = npy.read_header(file)
        columns = header.columns - weighted
        self._check_extents(header.rows, columns, weighted=weighted)
        weights = check_entries(file, self._contents, weighted=weighted)
        # Before a transaction is open: others would wait for it.
        self._store.make_durable(file, digest)
        return UploadedArray(
            file, digest, header.rows, columns, weighted, weights, file.stat().st_size
        )

    def _check_extents(self, rows: int, columns: int, *, weighted: bool) -> None:
        settings = self._settings
        widest = settings.max_dimension if self._contents is POINTS else settings.max_points
        if columns == 0:
            raise WrongShape(
                "The last column holds the weights, so at least two are expected; one came.",
                expected="at least 2 columns",
                received=columns + weighted,
            )
        for what, extent, limit in (
            ("rows", rows, settings.max_points),
            ("columns", columns, widest),
        ):
            if extent > limit:
                raise WrongShape(
                    f"At most {limit} {what} of {self._contents.name} are taken; received "
                    f"{extent}.",
                    expected=limit,
                    received=extent,
                )


def stored_response(stored: StoredArray, is_first: bool) -> Response:
    """Return 201 where there was no array before, else 200; tagged with the array's digest."""
    return json_response(
        stored, status=201 if is_first else 200, headers={"ETag": f'"{stored.digest}"'}
    )


def _copied(here: Path, there: Path) -> str:
    sha256 = hashlib.sha256()
    with here.open("rb") as source, there.open("wb") as sink:
        while piece := source.read(BUFFER_BYTES):
            _write(sink, sha256, piece)
    return sha256.hexdigest()


def _write(sink: BinaryIO, sha256: "hashlib._Hash", chunk: bytes | bytearray) -> None:
    sha256.update(chunk)
    sink.write(chunk)


def _too_large(media_type: MediaType, limit: int, received: int) -> BodyTooLarge:
    advice = " Send larger arrays as application/x-npy." if media_type == JSON else ""
    return BodyTooLarge(
        f"A body of {media_type} may have {limit} bytes; at least {received} came.{advice}",
        expected=limit,
        received=received,
    )

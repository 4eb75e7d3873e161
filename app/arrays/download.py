"""Send a stored array: byte for byte as it was uploaded, or as JSON if it is small."""

import hashlib
from collections.abc import Generator, Mapping

from fastapi import Response
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ..http.entity_tags import is_current
from . import json_arrays, npy
from .columns import StoredArrayColumns
from .digests import content_digest
from .entry_validation import Contents
from .media_types import JSON, NPY, negotiate
from .store import ArrayStore


def array_response(
    array: StoredArrayColumns,
    contents: Contents,
    store: ArrayStore,
    *,
    accept: str | None,
    if_none_match: str | None,
    max_json_bytes: int,
) -> Response:
    """Return an array in the caller's preferred media type, or 304 if the caller has it already.

    JSON is offered only if it surely fits into `max_json_bytes`.

    Raises
    ------
    NotAcceptable
        If the caller accepts none of the offered media types.
    """
    largest = json_arrays.largest_body(array.rows, array.columns, weighted=array.weighted)
    is_small = largest <= max_json_bytes
    media_type = negotiate(accept, (NPY, JSON) if is_small else (NPY,))
    tag = f'"{array.digest}"' if media_type == NPY else f'"{array.digest}.json"'
    headers = {
        "ETag": tag,
        "Vary": "Accept",
        "Cache-Control": "private, no-cache",
        "X-Wassay-Weights": "last_column" if array.weighted else "uniform",
    }
    if is_current(if_none_match, tag):
        return Response(status_code=304, headers=headers)
    if media_type == JSON:
        content = json_arrays.from_npy(
            npy.memory_map(store.local_path(array.digest)), contents, weighted=array.weighted
        )
        headers["Content-Digest"] = content_digest(hashlib.sha256(content).hexdigest())
        return Response(content, media_type=JSON, headers=headers)
    headers["Content-Digest"] = content_digest(array.digest)
    headers["Content-Length"] = str(array.bytes)
    return _Stream(store.stream(array.digest), headers)


class _Stream(StreamingResponse):
    """A streamed array. Its file is closed even if the client disconnects."""

    def __init__(self, pieces: Generator[bytes, None, None], headers: Mapping[str, str]) -> None:
        super().__init__(pieces, media_type=NPY, headers=headers)
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._pieces.close()

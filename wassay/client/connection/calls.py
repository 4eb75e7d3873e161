"""Build URLs, JSON bodies, and the calls that upload an array or a part of one."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

import numpy as np
from pydantic_core import to_jsonable_python

from wassay.client.connection.flows import Call
from wassay.client.connection.npy import MEDIA_TYPE, ArrayBody
from wassay.client.shared.arguments import described
from wassay.errors import InvalidArgumentError

_AN_ID = re.compile(r"[!-~]+")


def url_of(path: tuple[str, ...]) -> str:
    """Join the segments of a path; percent-encode each, so that an id cannot name another route.

    Raises
    ------
    InvalidArgumentError
        If a segment is not a str, is empty, or has characters other than printable ASCII.
    """
    for segment in path:
        if not isinstance(segment, str) or not segment or not _AN_ID.fullmatch(segment):
            has_one = isinstance(getattr(segment, "id", None), str)
            remedy = "its id" if has_one else "the id that the service gave"
            raise InvalidArgumentError(
                f"expected an id such as req_01jd…, received {described(segment)}: pass {remedy}"
            )
    return "/".join(("/v1", *(quote(segment, safe="") for segment in path)))


def as_json(body: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a body with numpy numbers, datetimes and models to JSON types.

    Raises
    ------
    InvalidArgumentError
        If JSON cannot represent a value.
    """
    written = {}
    for name, value in body.items():
        try:
            written[name] = to_jsonable_python(value, fallback=_plain)
            json.dumps(written[name], allow_nan=False)
        except ValueError:  # The value has an unsupported type or is not finite.
            raise InvalidArgumentError(
                f"expected {name} to be text, a finite number, a time, or a list of these, "
                f"received {value!r}"
            ) from None
    return written


def _plain(value: object) -> object:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise ValueError(f"JSON has no {type(value).__name__}")


def upload_call(
    path: tuple[str, ...], body: ArrayBody, headers: Mapping[str, str], content: Iterable[bytes]
) -> Call:
    """Build the call that uploads `content`: all bytes of the array `body`, or some of them.

    `headers` say which bytes these are; the media type is added.
    """
    query = {"weights": "last_column" if body.weighted else "uniform"}
    return Call("PUT", url_of(path), query, {"Content-Type": MEDIA_TYPE, **headers}, None, content)


def part_call(path: tuple[str, ...], body: ArrayBody, start: int, end: int) -> Call:
    """Build the call that uploads the bytes of an array from `start` up to `end`."""
    headers = {
        "Content-Length": str(end - start),
        "Content-Range": f"bytes {start}-{end - 1}/{body.length}",
        "Repr-Digest": written_digest(body.digest),
    }
    return upload_call(path, body, headers, body.between(start, end))


def written_digest(digest: bytes) -> str:
    """Write a digest as the headers of RFC 9530 state it, such as ``sha-256=:…:``."""
    return f"sha-256=:{base64.b64encode(digest).decode()}:"

"""OpenAPI descriptions of arrays in requests and responses, and the problems of uploads."""

from typing import Any

from ..http.problems import BodyTooLarge, Problem
from .entry_validation import Contents
from .json_arrays import body_model
from .media_types import JSON, NPY
from .problems import (
    DigestMismatch,
    InvalidEntry,
    InvalidWeights,
    MalformedArray,
    StorageFull,
    StorageUnavailable,
    UnsupportedMediaType,
    WrongPart,
    WrongShape,
)

ANY_SIZE = 2**63 - 1
"""A limit that no body reaches, to disable the framework's own: `ArrayUpload` enforces another."""

UPLOAD_PROBLEMS: tuple[type[Problem], ...] = (
    BodyTooLarge,
    WrongPart,
    UnsupportedMediaType,
    DigestMismatch,
    MalformedArray,
    WrongShape,
    InvalidEntry,
    InvalidWeights,
    StorageFull,
    StorageUnavailable,
)


def array_body(
    contents: Contents, example: tuple[tuple[float, ...], ...] | None = None
) -> dict[str, Any]:
    """Return the `openapi_extra=` for a route that receives an array.

    The page `/docs` shows the rows of `example`; None: the usual example.
    """
    content = array_content(contents)
    if example is not None:
        content[JSON]["schema"]["examples"] = [{contents.name: example}]
    return {"requestBody": {"required": True, "content": content}}


def array_content(contents: Contents) -> dict[str, Any]:
    """Return the media types in which an array is sent, each with its schema, for OpenAPI."""
    return {
        NPY: {"schema": {"type": "string", "format": "binary"}},
        JSON: {"schema": body_model(contents).model_json_schema()},
    }

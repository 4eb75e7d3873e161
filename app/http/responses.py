"""Build JSON responses whose status or headers depend on the result."""

from collections.abc import Mapping

from fastapi import Response
from pydantic import BaseModel

from .entity_tags import entity_tag, entity_tag_of, is_current


def json_response(
    model: BaseModel,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a model as JSON."""
    return Response(
        model.model_dump_json(),
        status_code=status,
        headers=dict(headers or {}),
        media_type="application/json",
    )


def created_response(model: BaseModel, location: str, *, tagged: bool = False) -> Response:
    """Return 201 with a new resource, its `Location` and, if `tagged`, its entity tag."""
    headers = {"Location": location} | ({"ETag": entity_tag(model)} if tagged else {})
    return json_response(model, status=201, headers=headers)


def tagged_response(model: BaseModel, if_none_match: str | None = None) -> Response:
    """Return a model with its entity tag, or 304 if the caller has this version already."""
    content = model.model_dump_json().encode()
    tag = entity_tag_of(content)
    if is_current(if_none_match, tag):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(content, headers={"ETag": tag}, media_type="application/json")

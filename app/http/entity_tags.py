"""Entity tags (RFC 9110 §8.8): strong and quoted, for conditional edits and reads."""

import hashlib
import re
from typing import Annotated

from fastapi import Header
from pydantic import BaseModel

from .problems import PreconditionFailed, PreconditionRequired

IfMatch = Annotated[
    str | None,
    Header(max_length=1000, description="The `ETag` of the version to edit."),
]
IfNoneMatch = Annotated[
    str | None,
    Header(
        max_length=1000,
        description="The `ETag` of an earlier response. If that version is still current, the "
        "response is 304.",
    ),
]

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def entity_tag(model: BaseModel) -> str:
    """Return the entity tag of a representation: a digest of its JSON."""
    return entity_tag_of(model.model_dump_json().encode())


def entity_tag_of(content: bytes) -> str:
    """Return the entity tag of a representation, given its JSON."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def require_match(if_match: str | None, current: str) -> None:
    """Raise unless `If-Match` names the current version.

    Weak tags match, too, contrary to RFC 9110 §13.1.1.

    Raises
    ------
    PreconditionRequired
        If `If-Match` is absent.
    PreconditionFailed
        If `If-Match` names only other versions.
    """
    if if_match is None:
        raise PreconditionRequired(
            "Expected If-Match with the ETag of the version to edit; received none. Read the "
            "resource, then repeat the edit with its ETag.",
            expected=current,
        )
    # The service sends only strong tags; a compressing proxy may have weakened one.
    if not _matches(if_match, current):
        raise PreconditionFailed(
            f"Expected If-Match to name the current version {current}; received {if_match[:200]}. "
            "Somebody has changed the resource: read it again, and repeat the edit with the new "
            "ETag.",
            expected=current,
            received=if_match,
        )


def is_current(if_none_match: str | None, current: str) -> bool:
    """Return whether `If-None-Match` names the current version."""
    return if_none_match is not None and _matches(if_none_match, current)


def _matches(condition: str, current: str) -> bool:
    """Return whether a condition is `*` or lists the current tag, weak or strong."""
    return condition.strip() == "*" or current in _TAG.findall(condition)

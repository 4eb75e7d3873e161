"""Entity tags (RFC 9110 §8.8): strong and quoted, for edits and for reading again."""

import hashlib
import re
from typing import Annotated

from fastapi import Header
from pydantic import BaseModel

from app.kit.problems import PreconditionFailed, PreconditionRequired

IfMatch = Annotated[
    str | None,
    Header(max_length=1000, description="The `ETag` of the version that this edits."),
]
IfNoneMatch = Annotated[
    str | None,
    Header(max_length=1000, description="An `ETag` already held; unchanged: 304, no body."),
]

_TAG = re.compile(r'(W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def entity_tag(model: BaseModel) -> str:
    """Return the tag of what a model shows; it changes whenever the answer would."""
    return f'"{hashlib.sha256(model.model_dump_json().encode()).hexdigest()[:32]}"'


def require_match(if_match: str | None, current: str) -> None:
    """Let an edit pass only when it is of the current version.

    Raises
    ------
    PreconditionRequired
        If `If-Match` is absent.
    PreconditionFailed
        If it names other versions; weak tags never match (RFC 9110 §13.1.1).
    """
    if if_match is None:
        raise PreconditionRequired(
            "An edit needs If-Match with the ETag of the version it edits; read the thing first.",
            expected=current,
        )
    strong = {tag for weak, tag in _TAG.findall(if_match) if not weak}
    if if_match.strip() != "*" and current not in strong:
        raise PreconditionFailed(
            f"The thing is at version {current} by now; read it again and redo the edit.",
            expected=current,
            came=if_match,
        )


def is_current(if_none_match: str | None, current: str) -> bool:
    """Tell whether a reader already holds the current version (weak comparison)."""
    if if_none_match is None:
        return False
    tags = {tag for _weak, tag in _TAG.findall(if_none_match)}
    return if_none_match.strip() == "*" or current in tags

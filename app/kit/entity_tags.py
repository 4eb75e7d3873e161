"""Entity tags (RFC 9110 §8.8): strong and quoted, for edits and for reading again."""

import hashlib
import re
from typing import Annotated

from fastapi import Header
from pydantic import BaseModel

from .problems import PreconditionFailed, PreconditionRequired

IfMatch = Annotated[
    str | None,
    Header(max_length=1000, description="The `ETag` of the version that this edits."),
]
IfNoneMatch = Annotated[
    str | None,
    Header(max_length=1000, description="An `ETag` already held; unchanged: 304, no body."),
]

_TAG = re.compile(r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")')


def entity_tag(model: BaseModel) -> str:
    """Return the tag of what a model shows; it changes whenever the answer would."""
    return f'"{hashlib.sha256(model.model_dump_json().encode()).hexdigest()[:32]}"'


def require_match(if_match: str | None, current: str) -> None:
    """Raise unless an edit is of the current version.

    The weak form of a tag matches too, unlike in RFC 9110 §13.1.1: the service makes no weak tags,
    so one that comes back is ours, made weak by a proxy that compressed the answer.

    Raises
    ------
    PreconditionRequired
        If `If-Match` is absent.
    PreconditionFailed
        If it names other versions only.
    """
    if if_match is None:
        raise PreconditionRequired(
            "An edit needs If-Match with the ETag of the version it edits; read the thing first.",
            expected=current,
        )
    if not _names(if_match, current):
        raise PreconditionFailed(
            f"The thing is at version {current} by now; read it again and redo the edit.",
            expected=current,
            received=if_match,
        )


def is_current(if_none_match: str | None, current: str) -> bool:
    """Tell whether a reader already holds the current version."""
    return if_none_match is not None and _names(if_none_match, current)


def _names(condition: str, current: str) -> bool:
    """Tell whether a condition is `*` or lists the current version's tag, weak or strong."""
    return condition.strip() == "*" or current in _TAG.findall(condition)

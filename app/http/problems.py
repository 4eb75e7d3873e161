"""Problems (RFC 9457): the service's typed errors."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar


class Problem(Exception):  # noqa: N818 - the RFC's word
    """The base of all typed errors. A subclass sets `slug`, `title` and `status`.

    Parameters
    ----------
    detail
        A sentence for people: what was expected, what was received, what to do.
    **extensions
        Further members of the problem, such as `expected`, `received` and `index`.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    status: ClassVar[int]
    headers: Mapping[str, str] = MappingProxyType({})
    is_machine_fault: ClassVar[bool] = False
    """Whether this machine or its store is at fault, so that another machine may succeed.
    """

    def __init__(self, detail: str, **extensions: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extensions = extensions

    @property
    def cause(self) -> str:
        """The cause, for the operator. Callers do not read it."""
        return self.detail

    def body(self, request_id: str | None = None) -> dict[str, Any]:
        """Return the `application/problem+json` body."""
        return {
            "type": f"/problems/{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "request_id": request_id,
            **self.extensions,
        }


class BadRequest(Problem):
    """The request cannot be parsed."""

    slug, title, status = "bad-request", "Bad request", 400


class NotFound(Problem):
    """The resource does not exist, or the caller may not see it."""

    slug, title, status = "not-found", "Not found", 404


class NotAuthenticated(Problem):
    """The API key is missing, unknown, revoked or expired."""

    slug, title, status = "not-authenticated", "Not authenticated", 401
    headers = MappingProxyType({"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    """The API key does not permit the call."""

    slug, title, status = "forbidden", "Forbidden", 403


class Conflict(Problem):
    """The state of the resource does not allow the call."""

    slug, title, status = "conflict", "Conflict", 409


class Invalid(Problem):
    """The request is well-formed, but contains a value that is not acceptable."""

    slug, title, status = "invalid", "Invalid", 422


class PreconditionFailed(Problem):
    """`If-Match` names a version that is no longer the current one."""

    slug, title, status = "precondition-failed", "Precondition failed", 412


class PreconditionRequired(Problem):
    """The edit has no `If-Match` with the version to edit."""

    slug, title, status = "precondition-required", "Precondition required", 428


class BodyTooLarge(Problem):
    """The body exceeds the size limit."""

    slug, title, status = "body-too-large", "Body too large", 413


class Unavailable(Problem):
    """The service is temporarily unavailable."""

    slug, title, status = "unavailable", "Unavailable", 503
    headers = MappingProxyType({"Retry-After": "1"})

"""Problems (RFC 9457): every error of the service, typed, with what was expected and what came."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar


class Problem(Exception):  # noqa: N818 - the RFC's word
    """The base of every typed error; a subclass fixes `type`, `title` and `status`.

    Parameters
    ----------
    detail
        A sentence for people: what was expected, what came, what to do.
    **extensions
        Members of the problem beside the standard ones, such as `expected`, `came`, `index`.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    status: ClassVar[int]
    headers: Mapping[str, str] = MappingProxyType({})

    def __init__(self, detail: str, **extensions: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.extensions = extensions

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
    """What came cannot be read at all."""

    slug, title, status = "bad-request", "Bad request", 400


class NotFound(Problem):
    """The thing does not exist, or the caller may not know that it does."""

    slug, title, status = "not-found", "Not found", 404


class NotAuthenticated(Problem):
    """No key, or one that is unknown, revoked or expired."""

    slug, title, status = "not-authenticated", "Not authenticated", 401
    headers = MappingProxyType({"WWW-Authenticate": "Bearer"})


class Forbidden(Problem):
    """The key is good, but not for this."""

    slug, title, status = "forbidden", "Forbidden", 403


class Conflict(Problem):
    """The thing's state does not allow this."""

    slug, title, status = "conflict", "Conflict", 409


class Invalid(Problem):
    """What came is well-formed but not acceptable."""

    slug, title, status = "invalid", "Invalid", 422


class PreconditionFailed(Problem):
    """`If-Match` names a version that is no longer the current one."""

    slug, title, status = "precondition-failed", "Precondition failed", 412


class PreconditionRequired(Problem):
    """An edit came without the `If-Match` that says which version it edits."""

    slug, title, status = "precondition-required", "Precondition required", 428


class BodyTooLarge(Problem):
    """The body is larger than the service takes here."""

    slug, title, status = "body-too-large", "Body too large", 413


class Unavailable(Problem):
    """The service cannot answer now, and may soon."""

    slug, title, status = "unavailable", "Unavailable", 503
    headers = MappingProxyType({"Retry-After": "1"})

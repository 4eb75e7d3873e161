"""What can go wrong between a party and the service, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wassay.models import Problem

if TYPE_CHECKING:
    from wassay.audit import Audit
    from wassay.disclosure_class import DisclosureClass


class WassayError(Exception):
    """The base of every error of the SDK."""


class InvalidArgumentError(WassayError, ValueError):
    """What the caller gave cannot be right; nothing was sent."""


class ConnectionFailedError(WassayError):
    """The service could not be reached, or the connection broke."""


class UnexpectedResponseError(WassayError):
    """What answered does not speak Wassay's API."""


class IntegrityError(WassayError):
    """An array arrived, here or there, with another digest than it left with."""


class DisclosureError(WassayError):
    """What was about to be sent would tell a receiver more than `max_disclosure`; it stayed here.

    Attributes
    ----------
    audit : wassay.audit.Audit
        What every receiver could compute; the message shows it as a table.
    limit : DisclosureClass
    """

    def __init__(self, audit: Audit, limit: DisclosureClass) -> None:
        beyond = audit.beyond(limit)
        needed = max((each.disclosure_class for each in beyond), key=list(type(limit)).index)
        told = "; ".join(f"{each.receiver} would learn: {each.learns}" for each in beyond)
        super().__init__(
            f"nothing was uploaded, for max_disclosure is {limit.value!r} and {told}.\n\n"
            f"{audit}\n\n"
            f"If that is acceptable, pass max_disclosure={needed.value!r} (--max-disclosure "
            f"{needed.value}). If not: a sealed reference and mode 'measure' keep the service at "
            "'up-to-isometry' and show parties nothing of each other's points."
        )
        self.audit = audit
        self.limit = limit


class EvaluationFailedError(WassayError):
    """An evaluation ended without a result.

    Attributes
    ----------
    problem : Problem or None
        The service's typed reason, where it failed rather than was cancelled.
    """

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        super().__init__(message)
        self.problem = problem


class ProblemError(WassayError):
    """The service refused, with an RFC 9457 problem.

    Attributes
    ----------
    problem : Problem
        The whole problem, with the members of its type such as `expected`, `came`, `index`.
    status : int
        The HTTP status.
    type : str
        The stable name of the error, such as ``/problems/not-found``.
    detail : str
        A sentence: what was expected, what came, what to do.
    request_id : str or None
        What the operator finds this call by in the service's logs.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem
        self.status = problem.status
        self.type = problem.type
        self.detail = problem.detail
        self.request_id = problem.request_id


class BadRequestError(ProblemError):
    """400: the request is malformed."""


class AuthenticationError(ProblemError):
    """401: no key, or one that is unknown, revoked or expired."""


class ForbiddenError(ProblemError):
    """403: the key is good, but not for this."""


class NotFoundError(ProblemError):
    """404: it does not exist, or this key may not know that it does."""


class ConflictError(ProblemError):
    """409: the thing's state does not allow this."""


class PreconditionError(ProblemError):
    """412 or 428: somebody else edited it since it was read."""


class TooLargeError(ProblemError):
    """413: the body is over the limit of the service, or of a proxy in front of it."""

    @property
    def is_from_proxy(self) -> bool:
        """Whether a proxy refused it, in its own words: the service's problems have a type."""
        return self.type == "about:blank"


class UnsupportedMediaTypeError(ProblemError):
    """415: the service does not read this kind of body."""


class UnprocessableError(ProblemError):
    """422: well-formed, but not acceptable."""


class RateLimitError(ProblemError):
    """429: too many calls."""


class ServerError(ProblemError):
    """5xx: the service failed; quote `request_id` to its operator."""


_BY_STATUS: dict[int, type[ProblemError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionError,
    413: TooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableError,
    428: PreconditionError,
    429: RateLimitError,
}


def problem_error(problem: Problem) -> ProblemError:
    """Choose the exception of a problem by its status."""
    kind = ServerError if problem.status >= 500 else _BY_STATUS.get(problem.status, ProblemError)
    return kind(problem)


class UninvitedWarning(UserWarning):
    """The service lists somebody as invited whom the buyer did not invite."""

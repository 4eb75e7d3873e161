"""The exceptions of the SDK."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wassay.errors import InvalidArgumentError, WassayError
from wassay.models import Problem

if TYPE_CHECKING:
    from wassay.audit import Audit
    from wassay.disclosure_class import DisclosureClass
    from wassay.recipes import Difference


ACCEPTABLE = frozenset(
    {
        "swapped",
        "unit",
        "unknown-categories",
        "unknown-classes",
        "missing-code",
        "out-of-range",
        "repeated",
    }
)
"""Kinds of differences that a seller can accept: the rows become points in spite of them."""


class ConnectionFailedError(WassayError):
    """The service could not be reached, or the connection broke."""


class NotAwaitedError(WassayError, AttributeError, TypeError):
    """A result of an `AsyncClient` was used without `await`, or a list without ``async for``."""


class UnexpectedResponseError(WassayError):
    """The response does not follow Wassay's API; perhaps another server sent it."""


class IntegrityError(WassayError):
    """Received data do not match their digest or signature."""


class DisclosureError(WassayError):
    """A receiver could compute more than `max_disclosure` from the data; nothing was uploaded.

    Parameters
    ----------
    audit : wassay.audit.Audit
    limit : DisclosureClass
        The value of `max_disclosure`.
    fields : sequence of str, optional
        The fields from which the recipe made readable columns; the message names them.

    Attributes
    ----------
    audit : wassay.audit.Audit
        What each receiver could compute; the message contains this audit as a table.
    limit : DisclosureClass
        The value of `max_disclosure`.
    """

    def __init__(self, audit: Audit, limit: DisclosureClass, fields: Sequence[str] = ()) -> None:
        beyond = audit.beyond(limit)
        needed = max((each.disclosure_class for each in beyond), key=list(type(limit)).index)
        findings = "; ".join(f"{each.receiver} would learn: {each.learns}" for each in beyond)
        remedies = []
        if audit.beyond(limit, columns=False):
            remedies.append(
                "use a sealed reference and mode 'measure', and disclose no exact scores "
                "(sellers: scores='ranks'): the service then learns points up to an isometry, and "
                "the parties no points of each other"
            )
        if audit.readable_columns:
            remedies.append(f"to {how_to_hide(audit, fields)}")
        super().__init__(
            f"nothing was uploaded: max_disclosure is {limit.value!r}, and {findings}.\n\n"
            f"{audit}\n\nIf that is acceptable, pass max_disclosure={needed.value!r} "
            f"(--max-disclosure {needed.value}). If not, {'; and '.join(remedies)}."
        )
        self.audit = audit
        self.limit = limit


class DifferencesError(InvalidArgumentError):
    """Rows do not fit the request's recipe; nothing was uploaded.

    Attributes
    ----------
    differences : tuple of wassay.recipes.Difference
        What does not fit; the message contains a sentence about each difference.
    """

    def __init__(self, differences: Sequence[Difference]) -> None:
        sentences = "\n".join(f"- {each.name}: {each}" for each in differences)
        names = [each.name for each in differences if each.kind in ACCEPTABLE]
        accept = f"\nTo send them all the same, pass accept_differences={names}." if names else ""
        super().__init__(f"the rows do not fit the request's recipe:\n{sentences}{accept}")
        self.differences = tuple(differences)


class ReadableColumnsWarning(UserWarning):
    """A receiver can read columns from the shape of the sent points, in spite of the isometry."""


def how_to_hide(audit: Audit, fields: Sequence[str] = ()) -> str:
    """Return advice on hiding columns that a receiver can read: a phrase that begins with "hide".

    Parameters
    ----------
    audit : wassay.audit.Audit
        The audit that found the readable columns.
    fields : sequence of str
        The fields from which a recipe made these columns; empty without a recipe.
    """
    columns = audit.readable_columns
    if audit.read_fields:
        first = audit.read_fields[0]
        return (
            f"hide {columns}, fit the recipe with one only of the fields that say the same or "
            f"determine each other (roles={{{first!r}: 'ignored'}}), or ask the buyer for such a "
            "recipe; groups of rows that lie far apart in what remains stay visible, so leave that "
            "out as well, or do without the seal"
        )
    if fields:
        named = ", ".join(map(repr, fields))
        return (
            f"hide {columns}, which the recipe makes of {named}, fit the recipe without "
            f"{'these fields' if len(fields) > 1 else 'this field'} "
            f"(roles={{{fields[0]!r}: 'ignored'}}), or ask the buyer for such a recipe"
        )
    return (
        f"hide {columns}: make the points on both sides from the raw tables by a recipe "
        "(wassay.recipes.Recipe) that takes normal scores with jitter and whitens, and send rows "
        "in a random order; columns that a recipe made are mixtures of fields that depend on each "
        "other, of which you can leave some out (roles={…: 'ignored'})"
    )


class EvaluationFailedError(WassayError):
    """An evaluation ended without a result.

    Attributes
    ----------
    problem : Problem or None
        Why the evaluation failed; None if it was cancelled.
    """

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        super().__init__(message)
        self.problem = problem


class ProblemError(WassayError):
    """The service refused a call with an RFC 9457 problem.

    Attributes
    ----------
    problem : Problem
        The whole problem, which can have further members such as `index`.
    status : int
        The HTTP status.
    type : str
        The stable name of the error, such as ``/problems/not-found``.
    detail : str
        A sentence that says what was expected, what was received and what to do.
    expected, received : Any
        What was expected and received, for programs; None if the problem does not tell.
    request_id : str or None
        The id of this call in the service's logs, if the response has one.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem
        self.status = problem.status
        self.type = problem.type
        self.detail = problem.detail
        self.expected = problem.expected
        self.received = problem.received
        self.request_id = problem.request_id


class BadRequestError(ProblemError):
    """400: the request is malformed."""


class AuthenticationError(ProblemError):
    """401: the API key is missing, unknown, revoked or expired."""


class ForbiddenError(ProblemError):
    """403: the API key lacks the scope or the right that the call needs."""


class NotFoundError(ProblemError):
    """404: the object does not exist, or is not visible to this API key."""


class ConflictError(ProblemError):
    """409: the state of the object does not allow the call."""


class PreconditionError(ProblemError):
    """412 or 428: the object was edited since it was read."""


class TooLargeError(ProblemError):
    """413: the body exceeds the limit of the service, or of a proxy in front of it."""

    @property
    def is_from_proxy(self) -> bool:
        """Whether a proxy refused the body, and not the service."""
        # The service's own problems have another type.
        return self.type == "about:blank"


class UnsupportedMediaTypeError(ProblemError):
    """415: the service does not accept this media type."""


class UnprocessableError(ProblemError):
    """422: the body is well-formed, but a value is not acceptable."""


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
    """Return the exception for the status of a problem."""
    kind = ServerError if problem.status >= 500 else _BY_STATUS.get(problem.status, ProblemError)
    return kind(problem)


class WithoutKeyWarning(UserWarning):
    """An invited seller cannot answer yet, because they have published no encryption key."""


class UninvitedWarning(UserWarning):
    """The service lists an invited account that the buyer did not name."""

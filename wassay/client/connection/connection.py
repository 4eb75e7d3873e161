"""Calls to the service: typed, and repeated where that is safe."""

from __future__ import annotations

import email.utils
import random
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from uuid import uuid4

import httpx
from pydantic import ValidationError

from wassay.client.array_uploads import Again, ArrayUploads
from wassay.client.connection.arrays import ArrayBody
from wassay.client.connection.calls import as_json, url_of
from wassay.client.connection.flows import (
    Call,
    Flow,
    Pause,
    R,
    Runner,
    Runs,
)
from wassay.client.connection.pagination import Pages, ReadPage
from wassay.client.errors import (
    ConnectionFailedError,
    IntegrityError,
    InvalidArgumentError,
    UnexpectedResponseError,
    problem_error,
)
from wassay.models import Listing, Model, Page, Problem, Request, StoredArray
from wassay.redaction import redacted

RETRIES = 4
LONGEST_PAUSE_SECONDS = 60.0

_NOT_TAKEN_UP = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_PASSING = _NOT_TAKEN_UP | {HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT}
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

M = TypeVar("M", bound=Model)
A = TypeVar("A", bound=StoredArray)
E = TypeVar("E", Listing, Request)


class Connection:
    """Calls to one service, and when they are repeated; a path is given by its segments."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._uploads = ArrayUploads(self._sent)

    def get(self, *path: str, model: type[M], **query: Any) -> Flow[M]:
        """Read one thing."""
        return _parsed(model, (yield from self.send("GET", path, query=query)))

    def pages(self, *path: str, model: type[M], **query: Any) -> ReadPage[M]:
        """Read a list, page after page."""
        page = Page[model]  # type: ignore[valid-type]
        return lambda cursor: self.get(*path, model=page, cursor=cursor, **query)

    def create(self, *path: str, model: type[M], body: Mapping[str, Any]) -> Flow[M]:
        """POST with an idempotency key, so that a retry cannot create twice."""
        headers = {"Idempotency-Key": str(uuid4())}
        return _parsed(model, (yield from self.send("POST", path, body=body, headers=headers)))

    def act(self, *path: str, model: type[M], body: Mapping[str, Any] | None = None) -> Flow[M]:
        """POST that changes a thing's state."""
        return _parsed(model, (yield from self.send("POST", path, body=body)))

    def put(self, *path: str, model: type[M], body: Mapping[str, Any]) -> Flow[M]:
        """PUT a thing in place of what was there before."""
        return _parsed(model, (yield from self.send("PUT", path, body=body)))

    def edit(self, kind: str, *, seen: E, changes: Mapping[str, Any]) -> Flow[E]:
        """PATCH a thing, provided that it still is as the caller has `seen` it.

        Raises
        ------
        InvalidArgumentError
            When it is none.
        PreconditionError
            When somebody else edited it meanwhile.
        UnexpectedResponseError
            When no entity tag comes with it; nothing is edited then.
        """
        if not isinstance(seen, Listing | Request):
            raise InvalidArgumentError(
                f"a thing is edited as it was read, received {seen!r}: get it by its id first"
            )
        path = (kind, seen.id)
        # Uncompressed: proxies change or drop the entity tag of what they compress.
        now = yield from self.send("GET", path, headers={"Accept-Encoding": "identity"})
        if _parsed(type(seen), now) != seen:
            raise problem_error(
                Problem(
                    type="/problems/precondition-failed",
                    title="Precondition failed",
                    status=HTTPStatus.PRECONDITION_FAILED,
                    detail="It was edited since you read it. Read it again, then repeat the edit.",
                )
            )
        if "ETag" not in now.headers:
            raise UnexpectedResponseError(
                f"expected an ETag with {now.request.url}, which names the version to edit; none "
                "came, so nothing was edited. A proxy in front of the service removes it: have its "
                "operator pass the header on (nginx drops it where it rewrites the body)."
            )
        headers = {"If-Match": now.headers["ETag"]}
        edited = yield from self.send("PATCH", path, body=changes, headers=headers)
        return _parsed(type(seen), edited)

    def upload(self, *path: str, model: type[A], body: ArrayBody) -> Flow[A]:
        """PUT an array, and check that the service holds the bytes that left.

        When the connection breaks amid a large one, what the service has of it is not sent again;
        where a proxy in front of the service refuses it for its size, it goes in smaller parts.

        Raises
        ------
        IntegrityError
            When the service's digest is another than ours.
        """
        answer = yield from self._uploads.put(path, body)
        stored = _parsed(model, answer)
        if stored.digest != body.digest.hex():
            raise IntegrityError(
                f"sent an array with SHA-256 {body.digest.hex()}, but the service stored one with "
                f"{stored.digest}. Upload it again."
            )
        return stored

    def delete(self, *path: str) -> Flow[None]:
        """Delete a thing."""
        yield from self.send("DELETE", path)

    def send(
        self,
        method: str,
        path: tuple[str, ...],
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Flow[httpx.Response]:
        """Send one call, again where that is safe, and return its successful answer.

        Raises
        ------
        InvalidArgumentError
            When an id is none, or JSON cannot say the body.
        ConnectionFailedError
            When no answer came.
        ProblemError
            When the service refused.
        """
        query = {name: value for name, value in (query or {}).items() if value is not None}
        written = None if body is None else as_json(body)
        return self._sent(Call(method, url_of(path), query, dict(headers or {}), written))

    def _sent(self, call: Call, *, again: Again | None = None) -> Flow[httpx.Response]:
        """Send a call; before another attempt, `again` says what is left to be sent."""
        repeatable = call.method != "POST" or "Idempotency-Key" in call.headers
        attempt = 0
        while True:
            last = attempt == RETRIES
            try:
                answer: httpx.Response = yield call
            except httpx.TransportError as error:
                if last or not (repeatable or isinstance(error, _NEVER_SENT)):
                    raise ConnectionFailedError(
                        f"no answer from {self.base_url}: {redacted(str(error))}. "
                        "Is the service running there?"
                    ) from error
                pause = _backoff(attempt)
            else:
                if answer.is_success:
                    return answer
                asked = _asked_pause(answer)
                pause = _backoff(attempt) if asked is None else asked
                passes = answer.status_code in (_PASSING if repeatable else _NOT_TAKEN_UP)
                if last or not passes or pause > LONGEST_PAUSE_SECONDS:
                    raise problem_error(_problem(answer))
            yield Pause(pause)
            attempt += 1
            if again is not None:
                left = yield from again()
                if left.headers != call.headers:
                    attempt = 0  # some of it arrived
                call = left


class Resource(Runs[R]):
    """Calls of one kind."""

    def __init__(self, connection: Connection, run: Runner) -> None:
        super().__init__(run)
        self._connection = connection

    def _pages(self, *path: str, model: type[M], **query: Any) -> Pages[M, R]:
        return Pages(self._connection.pages(*path, model=model, **query), self._run)


def _backoff(attempt: int) -> float:
    """Seconds before the next attempt: doubling from 0.2, with jitter so that callers spread."""
    return float(0.2 * 2**attempt * random.uniform(0.75, 1.25))  # noqa: S311 - no secret


def _asked_pause(answer: httpx.Response) -> float | None:
    """Read `Retry-After`, seconds or a date; a little longer, so that callers spread."""
    asked = answer.headers.get("Retry-After", "")
    if asked.isdecimal():
        return float(asked) * random.uniform(1.0, 1.25)  # noqa: S311 - no secret
    try:
        moment = email.utils.parsedate_to_datetime(asked)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - time.time())


def _problem(answer: httpx.Response) -> Problem:
    try:
        return Problem.model_validate_json(answer.content)
    except ValidationError:
        # A proxy between us and the service answers in its own words.
        detail = f"{answer.request.url} answered {answer.status_code} {answer.reason_phrase}"
        if answer.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            detail += (
                f" to a body of {answer.request.headers.get('Content-Length')} bytes: a proxy in "
                "front of the service takes fewer. Have its operator raise the limit (in nginx "
                "client_max_body_size)."
            )
        return Problem(
            type="about:blank",
            title=answer.reason_phrase,
            status=answer.status_code,
            detail=detail,
            request_id=answer.headers.get("X-Request-Id"),
        )


def _parsed(model: type[M], answer: httpx.Response) -> M:
    try:
        return model.model_validate_json(answer.content)
    except ValidationError as error:
        raise UnexpectedResponseError(
            f"{answer.request.url} does not answer as Wassay does: {error}"
        ) from error

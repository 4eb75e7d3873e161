"""Calls to the service: parsed into models, and retried where that is safe."""

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

from wassay.client.array_uploads import ArrayUploads, Resume
from wassay.client.connection.calls import as_json, url_of
from wassay.client.connection.flows import (
    Call,
    Flow,
    Pause,
    R,
    Runner,
    Runs,
)
from wassay.client.connection.npy import ArrayBody
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

_NOT_PROCESSED = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_TRANSIENT = _NOT_PROCESSED | {HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT}
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

M = TypeVar("M", bound=Model)
A = TypeVar("A", bound=StoredArray)
E = TypeVar("E", Listing, Request)


class Connection:
    """Send calls to one service and retry them; a path is given by its segments."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._uploads = ArrayUploads(self._sent)

    def get(self, *path: str, model: type[M], **query: Any) -> Flow[M]:
        """GET one object."""
        return _parsed(model, (yield from self.send("GET", path, query=query)))

    def pages(self, *path: str, model: type[M], **query: Any) -> ReadPage[M]:
        """Return a function that GETs one page of a list."""
        page = Page[model]  # type: ignore[valid-type]
        return lambda cursor: self.get(*path, model=page, cursor=cursor, **query)

    def create(self, *path: str, model: type[M], body: Mapping[str, Any]) -> Flow[M]:
        """POST a new object with an idempotency key, so that a retry cannot create it twice."""
        headers = {"Idempotency-Key": str(uuid4())}
        return _parsed(model, (yield from self.send("POST", path, body=body, headers=headers)))

    def act(self, *path: str, model: type[M], body: Mapping[str, Any] | None = None) -> Flow[M]:
        """POST an action that changes the state of an object."""
        return _parsed(model, (yield from self.send("POST", path, body=body)))

    def put(self, *path: str, model: type[M], body: Mapping[str, Any]) -> Flow[M]:
        """PUT an object in place of the one before."""
        return _parsed(model, (yield from self.send("PUT", path, body=body)))

    def edit(self, kind: str, *, base: E, changes: Mapping[str, Any]) -> Flow[E]:
        """PATCH an object, unless it was edited since the caller read `base`.

        Raises
        ------
        InvalidArgumentError
            If `base` is not a listing or a request.
        PreconditionError
            If the object was edited meanwhile.
        UnexpectedResponseError
            If the response has no entity tag; nothing is edited then.
        """
        if not isinstance(base, Listing | Request):
            raise InvalidArgumentError(
                "expected the listing or request to edit, as it was read, received "
                f"{base!r}: get it first"
            )
        path = (kind, base.id)
        # Uncompressed: proxies change or drop the entity tag of a response that they compress.
        current = yield from self.send("GET", path, headers={"Accept-Encoding": "identity"})
        if _parsed(type(base), current) != base:
            raise problem_error(
                Problem(
                    type="/problems/precondition-failed",
                    title="Precondition failed",
                    status=HTTPStatus.PRECONDITION_FAILED,
                    detail="It was edited since you read it. Read it again, then repeat the edit.",
                )
            )
        if "ETag" not in current.headers:
            raise UnexpectedResponseError(
                f"expected an ETag with {current.request.url}, which names the version to edit; "
                "received none, so nothing was edited. A proxy in front of the service removes it: "
                "have its operator pass the header on (nginx drops it where it rewrites the body)."
            )
        headers = {"If-Match": current.headers["ETag"]}
        edited = yield from self.send("PATCH", path, body=changes, headers=headers)
        return _parsed(type(base), edited)

    def upload(self, *path: str, model: type[A], body: ArrayBody) -> Flow[A]:
        """PUT an array, and check the digest that the service stored.

        If the connection breaks during a large upload, only the missing bytes are sent again. If a
        proxy in front of the service refuses the size, the array is sent in smaller parts.

        Raises
        ------
        IntegrityError
            If the service stored another digest.
        """
        stored = _parsed(model, (yield from self._uploads.put(path, body)))
        if stored.digest != body.digest.hex():
            raise IntegrityError(
                f"sent an array with SHA-256 {body.digest.hex()}, but the service stored one with "
                f"{stored.digest}. Upload it again."
            )
        return stored

    def delete(self, *path: str) -> Flow[None]:
        """DELETE an object."""
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
        """Send a call, retry it where that is safe, and return the successful response.

        Raises
        ------
        InvalidArgumentError
            If an id is not a text, or JSON cannot represent the body.
        ConnectionFailedError
            If there was no response.
        ProblemError
            If the service refused the call.
        """
        query = {name: value for name, value in (query or {}).items() if value is not None}
        json = None if body is None else as_json(body)
        return self._sent(Call(method, url_of(path), query, dict(headers or {}), json))

    def _sent(self, call: Call, *, resume: Resume | None = None) -> Flow[httpx.Response]:
        """Send a call with retries; `resume` returns the call for the next attempt."""
        repeatable = call.method != "POST" or "Idempotency-Key" in call.headers
        attempt = 0
        while True:
            last = attempt == RETRIES
            try:
                response: httpx.Response = yield call
            except httpx.TransportError as error:
                if last or not (repeatable or isinstance(error, _NEVER_SENT)):
                    raise ConnectionFailedError(
                        f"no response from {self.base_url}: {redacted(str(error))}. "
                        "Is the service running there?"
                    ) from error
                pause = _backoff(attempt)
            else:
                if response.is_success:
                    return response
                retry_after = _retry_after(response)
                pause = _backoff(attempt) if retry_after is None else retry_after
                retryable = _TRANSIENT if repeatable else _NOT_PROCESSED
                if last or response.status_code not in retryable or pause > LONGEST_PAUSE_SECONDS:
                    raise problem_error(_problem(response))
            yield Pause(pause)
            attempt += 1
            if resume is not None:
                remaining = yield from resume()
                if remaining.headers != call.headers:
                    attempt = 0  # the last attempt made progress
                call = remaining


class Resource(Runs[R]):
    """Base of the classes that each hold the calls of one resource."""

    def __init__(self, connection: Connection, run: Runner) -> None:
        super().__init__(run)
        self._connection = connection

    def _pages(self, *path: str, model: type[M], **query: Any) -> Pages[M, R]:
        return Pages(self._connection.pages(*path, model=model, **query), self._run)


def _backoff(attempt: int) -> float:
    """Return the seconds before the next attempt: 0.2 · 2^attempt with jitter of 25 %."""
    return float(0.2 * 2**attempt * random.uniform(0.75, 1.25))  # noqa: S311 - no secret


def _retry_after(response: httpx.Response) -> float | None:
    """Parse `Retry-After`, in seconds or a date, and add jitter to the seconds."""
    value = response.headers.get("Retry-After", "")
    if value.isdecimal():
        return float(value) * random.uniform(1.0, 1.25)  # noqa: S311 - no secret
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - time.time())


def _problem(response: httpx.Response) -> Problem:
    try:
        return Problem.model_validate_json(response.content)
    except ValidationError:
        # The response is from a proxy.
        detail = f"{response.request.url} answered {response.status_code} {response.reason_phrase}"
        if response.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            detail += (
                f" to a body of {response.request.headers.get('Content-Length')} bytes: a proxy in "
                "front of the service takes fewer. Have its operator raise the limit (in nginx "
                "client_max_body_size)."
            )
        return Problem(
            type="about:blank",
            title=response.reason_phrase,
            status=response.status_code,
            detail=detail,
            request_id=response.headers.get("X-Request-Id"),
        )


def _parsed(model: type[M], response: httpx.Response) -> M:
    try:
        return model.model_validate_json(response.content)
    except ValidationError as error:
        raise UnexpectedResponseError(
            f"{response.request.url} does not respond as Wassay does: {error}"
        ) from error

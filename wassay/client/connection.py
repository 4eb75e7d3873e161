"""Calls to the service: authenticated, typed, repeated where that is safe."""

import base64
import email.utils
import itertools
import random
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx
from pydantic import ValidationError

from wassay.client.arrays import MEDIA_TYPE, ArrayBody
from wassay.client.errors import (
    ConnectionFailedError,
    IntegrityError,
    UnexpectedAnswerError,
    problem_error,
)
from wassay.client.pages import Pages
from wassay.models import Model, Page, Problem, StoredArray

RETRIES = 4
LONGEST_PAUSE_SECONDS = 60.0

_NOT_TAKEN_UP = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_PASSING = _NOT_TAKEN_UP | {HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT}
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)

M = TypeVar("M", bound=Model)
A = TypeVar("A", bound=StoredArray)


class Connection:
    """One service, one key.

    A path is given by its segments, so that an id can never reach another route.
    """

    def __init__(self, base_url: str, api_key: str, timeout: float, version: str) -> None:
        self.base_url = base_url
        self._http = httpx.Client(
            base_url=base_url,
            timeout=timeout,
            headers={
                "Authorization": f"Bearer {api_key}",
                "Accept": "application/json",
                "User-Agent": f"wassay/{version}",
            },
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, *path: str, model: type[M], **query: Any) -> M:
        """Read one thing."""
        return _parsed(model, self.send("GET", path, query=query))

    def list(self, *path: str, model: type[M], **query: Any) -> Pages[M]:
        """Read a list, page after page."""
        page = Page[model]  # type: ignore[valid-type]
        return Pages(lambda cursor: self.get(*path, model=page, cursor=cursor, **query))

    def create(self, *path: str, model: type[M], body: Mapping[str, Any]) -> M:
        """POST with an idempotency key, so that a retry cannot create twice."""
        return _parsed(
            model,
            self.send("POST", path, json=body, headers={"Idempotency-Key": str(uuid4())}),
        )

    def act(self, *path: str, model: type[M], body: Mapping[str, Any] | None = None) -> M:
        """POST that changes a thing's state."""
        return _parsed(model, self.send("POST", path, json=body))

    def put(self, *path: str, model: type[M], body: Mapping[str, Any]) -> M:
        """PUT a thing in place of what was there before."""
        return _parsed(model, self.send("PUT", path, json=body))

    def edit(self, *path: str, seen: M, changes: Mapping[str, Any]) -> M:
        """PATCH a thing, provided that it still is as the caller has `seen` it.

        Raises
        ------
        PreconditionError
            When somebody else edited it meanwhile.
        """
        now = self.send("GET", path)
        if _parsed(type(seen), now) != seen:
            raise problem_error(
                Problem(
                    type="/problems/precondition-failed",
                    title="Precondition failed",
                    status=HTTPStatus.PRECONDITION_FAILED,
                    detail="It was edited since you read it. Read it again, then repeat the edit.",
                )
            )
        headers = {"If-Match": now.headers["ETag"]}
        return _parsed(type(seen), self.send("PATCH", path, json=changes, headers=headers))

    def upload(self, *path: str, model: type[A], body: ArrayBody) -> A:
        """PUT an array, and check that the service holds the bytes that left.

        Raises
        ------
        IntegrityError
            When the service's digest is another than ours.
        """
        digest = base64.b64encode(body.digest).decode()
        answer = self.send(
            "PUT",
            path,
            query={"weights": "last_column" if body.weighted else "uniform"},
            content=body,
            headers={
                "Content-Type": MEDIA_TYPE,
                "Content-Length": str(body.length),
                "Content-Digest": f"sha-256=:{digest}:",
            },
        )
        stored = _parsed(model, answer)
        if stored.digest != body.digest.hex():
            raise IntegrityError(
                f"sent an array with SHA-256 {body.digest.hex()}, but the service stored one with "
                f"{stored.digest}. Upload it again."
            )
        return stored

    def delete(self, *path: str) -> None:
        """Delete a thing."""
        self.send("DELETE", path)

    def send(
        self,
        method: str,
        path: tuple[str, ...],
        *,
        query: Mapping[str, Any] | None = None,
        json: Mapping[str, Any] | None = None,
        content: ArrayBody | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send one call, again where that is safe, and return its successful answer.

        Raises
        ------
        ConnectionFailedError
            When no answer came.
        ProblemError
            When the service refused.
        """
        headers = dict(headers or {})
        repeatable = method != "POST" or "Idempotency-Key" in headers
        url = "/".join(("/v1", *(quote(segment, safe="") for segment in path)))
        query = {name: value for name, value in (query or {}).items() if value is not None}
        for attempt in itertools.count():
            last = attempt == RETRIES
            try:
                answer = self._http.request(
                    method, url, params=query, json=json, content=content, headers=headers
                )
            except httpx.TransportError as error:
                if last or not (repeatable or isinstance(error, _NEVER_SENT)):
                    raise ConnectionFailedError(
                        f"no answer from {self.base_url}: {error}. Is the service running there?"
                    ) from error
                pause = _backoff(attempt)
            else:
                if answer.is_success:
                    return answer
                asked = _asked_pause(answer)
                pause = _backoff(attempt) if asked is None else asked
                again = answer.status_code in (_PASSING if repeatable else _NOT_TAKEN_UP)
                if last or not again or pause > LONGEST_PAUSE_SECONDS:
                    raise problem_error(_problem(answer))
            time.sleep(pause)
        raise AssertionError("unreachable")


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
        return Problem(
            type="about:blank",
            title=answer.reason_phrase,
            status=answer.status_code,
            detail=f"{answer.request.url} answered {answer.status_code} {answer.reason_phrase}",
            request_id=answer.headers.get("X-Request-Id"),
        )


def _parsed(model: type[M], answer: httpx.Response) -> M:
    try:
        return model.model_validate_json(answer.content)
    except ValidationError as error:
        raise UnexpectedAnswerError(
            f"{answer.request.url} does not answer as Wassay does: {error}"
        ) from error

"""Retry calls if that is safe, after growing pauses."""

from __future__ import annotations

import email.utils
import random
import time
from http import HTTPStatus
from typing import Protocol

import httpx
from pydantic import ValidationError

from wassay.client.connection.flows import Call, Flow, Pause
from wassay.client.errors import ConnectionFailedError, problem_error
from wassay.models import Problem
from wassay.redaction import redacted

RETRIES = 4
LONGEST_BACKOFF_SECONDS = 5.0
"""The longest pause that the SDK chooses by itself, before jitter."""
LONGEST_PAUSE_SECONDS = 60.0
"""The longest pause that the service may ask for; jitter can make it a quarter longer."""

_NOT_PROCESSED = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_TRANSIENT = _NOT_PROCESSED | {HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT}
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Resume(Protocol):
    """Builds the call that resumes an upload after a broken connection."""

    def __call__(self) -> Flow[Call]:
        """Return the call that sends the bytes that the service has not received."""


class RetryingSender:
    """Sends calls to one service, and retries them if that is safe."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def send(
        self, call: Call, *, resume: Resume | None = None, patience: float = 0.0
    ) -> Flow[httpx.Response]:
        """Send a call, retry it if that is safe, and return the successful response.

        A POST without an idempotency key is retried only if the service did not process it.

        Parameters
        ----------
        call : Call
        resume : Resume, optional
            Builds the call for the next attempt; by default `call` is sent again.
        patience : float
            Retry for at least this many seconds, and at least `RETRIES` times. Seconds and retries
            are counted anew whenever an upload makes progress.

        Raises
        ------
        ConnectionFailedError
            If there is no response, and the call may not be retried or all retries failed.
        ProblemError
            If the service refused the call.
        """
        repeatable = call.method != "POST" or "Idempotency-Key" in call.headers
        attempt = 0
        until = time.monotonic() + patience
        while True:
            try:
                response: httpx.Response = yield call
            except httpx.TransportError as error:
                last = attempt >= RETRIES and time.monotonic() >= until
                if last or not (repeatable or isinstance(error, _NEVER_SENT)):
                    raise ConnectionFailedError(
                        f"no response from {self._base_url}: {redacted(str(error))}. "
                        f"{_advice(str(error))}"
                    ) from error
                pause = _backoff(attempt)
            else:
                if response.is_success:
                    return response
                retry_after = _retry_after(response)
                last = attempt >= RETRIES and time.monotonic() >= until
                retryable = _TRANSIENT if repeatable else _NOT_PROCESSED
                is_too_long = retry_after is not None and retry_after > LONGEST_PAUSE_SECONDS
                if last or response.status_code not in retryable or is_too_long:
                    raise problem_error(_problem(response))
                pause = _backoff(attempt) if retry_after is None else _with_jitter(retry_after)
            yield Pause(pause)
            attempt += 1
            if resume is not None:
                remaining = yield from resume()
                if remaining.headers != call.headers:
                    attempt = 0  # The last attempt made progress, so begin to count again.
                    until = time.monotonic() + patience
                call = remaining


def _advice(error: str) -> str:
    """Return what to do about a call that got no response, given the error's text."""
    if "WRONG_VERSION_NUMBER" in error or "record layer failure" in error:
        return "The server does not use TLS at this address: write http:// instead of https://."
    if "CERTIFICATE_VERIFY_FAILED" in error:
        return "Name the file of your organisation's certificates in SSL_CERT_FILE."
    if any(each in error for each in ("Name or service", "getaddrinfo", "nodename")):
        return "Is the host's name right?"
    return "Is the service running there? Locally, start it with wassay serve."


def _backoff(attempt: int) -> float:
    """Return the seconds before the next attempt: 0.2 · 2^attempt up to a limit, ± 25 % jitter."""
    pause = min(0.2 * 2 ** min(attempt, 10), LONGEST_BACKOFF_SECONDS)
    return float(pause * random.uniform(0.75, 1.25))  # noqa: S311 - no secret


def _retry_after(response: httpx.Response) -> float | None:
    """Return how many seconds `Retry-After` asks to wait; None if it is missing or malformed."""
    value = response.headers.get("Retry-After", "")
    if value.isdecimal():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, moment.timestamp() - time.time())


def _with_jitter(seconds: float) -> float:
    """Lengthen a pause by up to a quarter, so that callers do not all retry at once."""
    return seconds * random.uniform(1.0, 1.25)  # noqa: S311 - no secret


def _problem(response: httpx.Response) -> Problem:
    try:
        return Problem.model_validate_json(response.content)
    except ValidationError:
        # The service always sends problems, so this response is from a proxy.
        detail = f"{response.request.url} answered {response.status_code} {response.reason_phrase}"
        if response.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            detail += (
                f" to a body of {response.request.headers.get('Content-Length')} bytes: a proxy in "
                "front of the service accepts only smaller bodies. Have its operator raise the "
                "limit (in nginx client_max_body_size)."
            )
        return Problem(
            type="about:blank",
            title=response.reason_phrase,
            status=response.status_code,
            detail=detail,
            request_id=response.headers.get("X-Request-Id"),
        )

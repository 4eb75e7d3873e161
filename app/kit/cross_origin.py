"""Calls from pages of other origins (CORS): only those that the operator names, and no cookies."""

from collections.abc import Sequence

from fastapi import FastAPI, Response
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware

from .exception_handlers import problem_response
from .problems import BadRequest

METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
REQUEST_HEADERS = (
    "Authorization",
    "Content-Digest",
    "Content-Range",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Repr-Digest",
    "X-Request-Id",
)
RESPONSE_HEADERS = (
    "Allow",
    "Content-Digest",
    "ETag",
    "Idempotent-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
    "X-Wassay-Weights",
)
"""What a page may read of an answer, beside what every page may."""


def install(app: FastAPI, origins: Sequence[str]) -> None:
    """Let pages of these origins call the service with a key; without any, no page may."""
    if origins:
        app.add_middleware(
            _CrossOrigin,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=REQUEST_HEADERS,
            expose_headers=RESPONSE_HEADERS,
        )


class _CrossOrigin(CORSMiddleware):
    def preflight_response(self, request_headers: Headers) -> Response:
        answer = super().preflight_response(request_headers)
        if answer.status_code == BadRequest.status:
            why = bytes(answer.body).decode().removeprefix("Disallowed CORS ")
            vary = answer.headers["Vary"]
            answer = problem_response(
                BadRequest(
                    f"A page of {request_headers['Origin'][:100]} may not make this call: its "
                    f"{why} may not. The operator names the origins of pages that may call, in "
                    "WASSAY_CORS_ORIGINS.",
                )
            )
            answer.headers["Vary"] = vary
        return answer

"""Allow calls from pages of the origins that the operator lists, without cookies (CORS)."""

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
"""Response headers that pages may read besides the headers that CORS always allows."""


def install(app: FastAPI, origins: Sequence[str]) -> None:
    """Allow pages of these origins to call the service. If there are none, allow no page."""
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
        response = super().preflight_response(request_headers)
        if response.status_code == BadRequest.status:
            disallowed = bytes(response.body).decode().removeprefix("Disallowed CORS ")
            vary = response.headers["Vary"]
            response = problem_response(
                BadRequest(
                    f"Cross-origin call from {request_headers['Origin'][:100]}: disallowed "
                    f"{disallowed}. Ask the operator to list the origin in WASSAY_CORS_ORIGINS.",
                )
            )
            response.headers["Vary"] = vary
        return response

"""Complete the OpenAPI document with problems, and with the rate-limit headers of routes."""

from collections import defaultdict
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from wassay.models import Problem as WireProblem

from . import rate_limit
from .problems import (
    BadRequest,
    BodyTooLarge,
    Forbidden,
    Invalid,
    NotAuthenticated,
    Problem,
    Unavailable,
)

RETRYABLE = {429, 503}
HEADERS = {
    "Retry-After": {
        "description": "Seconds to wait before repeating the call.",
        "schema": {"type": "integer", "minimum": 0},
    },
    **rate_limit.HEADERS,
}


def problems(*kinds: type[Problem]) -> dict[int | str, dict[str, Any]]:
    """Return the `responses=` for a route that may raise these problems."""
    by_status: defaultdict[int, list[type[Problem]]] = defaultdict(list)
    for kind in kinds:
        by_status[kind.status].append(kind)
    return {
        status: {
            "description": "\n\n".join(
                f"`{kind.slug}`: {(kind.__doc__ or kind.title).splitlines()[0]}" for kind in kinds
            ),
            "content": {
                "application/problem+json": {
                    "schema": {"$ref": f"#/components/schemas/{WireProblem.__name__}"}
                }
            },
            **({"headers": _header_references("Retry-After")} if status in RETRYABLE else {}),
        }
        for status, kinds in sorted(by_status.items())
    }


NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "The caller already has the current version of the resource."}
}
"""The `responses=` for a route that supports `If-None-Match`."""


def install(app: FastAPI) -> None:
    """Add the shared schemas, headers and problems to an application's OpenAPI document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                summary=app.summary,
                description=app.description,
                version=app.version,
                routes=app.routes,
            )
            schema["components"]["headers"] = HEADERS
            schemas = schema["components"]["schemas"]
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            schemas[WireProblem.__name__] = WireProblem.model_json_schema(
                ref_template="#/components/schemas/{model}"
            )
            for operations in schema["paths"].values():
                for operation in operations.values():
                    _document_common_problems(operation)
                    if "security" in operation:
                        _document_rate_limit(operation)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document_common_problems(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "application/json" in responses.get("422", {}).get("content", {}):
        # Replace the framework's description of status 422.
        responses["422"] = problems(Invalid)[422]
    common = problems(Unavailable)
    if "requestBody" in operation:
        common |= problems(BadRequest, BodyTooLarge)
    if "security" in operation:
        common |= problems(NotAuthenticated, Forbidden, Invalid, rate_limit.TooManyRequests)
    merged = {str(status): response for status, response in common.items()} | responses
    operation["responses"] = dict(sorted(merged.items()))


def _document_rate_limit(operation: dict[str, Any]) -> None:
    """Add the rate-limit headers to every response of a route except 401."""
    for status, response in operation["responses"].items():
        if status != str(NotAuthenticated.status):
            response["headers"] = response.get("headers", {}) | _header_references(
                *rate_limit.HEADERS
            )


def _header_references(*names: str) -> dict[str, dict[str, str]]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}

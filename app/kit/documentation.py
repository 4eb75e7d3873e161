"""Problems in OpenAPI: which ones a route may answer with."""

from collections import defaultdict
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.kit.problems import BadRequest, BodyTooLarge, Invalid, Problem, Unavailable
from wassay.models import Problem as WireProblem

COME_BACK = {429, 503}
RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds to wait before the call is made again.",
        "schema": {"type": "integer", "minimum": 0},
    }
}


def problems(*kinds: type[Problem]) -> dict[int | str, dict[str, Any]]:
    """Return the `responses=` of a route that may raise these problems."""
    by_status: defaultdict[int, list[type[Problem]]] = defaultdict(list)
    for kind in kinds:
        by_status[kind.status].append(kind)
    return {
        status: {
            "description": "; ".join(
                f"`{kind.slug}`: {(kind.__doc__ or kind.title).splitlines()[0]}" for kind in kinds
            ),
            "content": {
                "application/problem+json": {
                    "schema": {"$ref": f"#/components/schemas/{WireProblem.__name__}"}
                }
            },
            **({"headers": RETRY_AFTER} if status in COME_BACK else {}),
        }
        for status, kinds in sorted(by_status.items())
    }


NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "The reader already holds the current version."}
}
"""`responses=` of a route that heeds `If-None-Match`."""


def install(app: FastAPI) -> None:
    """Make an application's OpenAPI say problems where the framework says its own errors."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title,
                summary=app.summary,
                description=app.description,
                version=app.version,
                routes=app.routes,
            )
            schemas = schema["components"]["schemas"]
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            schemas[WireProblem.__name__] = WireProblem.model_json_schema(
                ref_template="#/components/schemas/{model}"
            )
            for operations in schema["paths"].values():
                for operation in operations.values():
                    _document_framework_errors(operation)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document_framework_errors(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "application/json" in responses.get("422", {}).get("content", {}):
        responses["422"] = problems(Invalid)[422]
    common = problems(Unavailable)
    if "requestBody" in operation:
        common |= problems(BadRequest, BodyTooLarge)
    for status, response in common.items():
        responses.setdefault(str(status), response)

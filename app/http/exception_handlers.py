"""Turn every exception into an `application/problem+json` response (RFC 9457)."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from asgi_correlation_id import correlation_id
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import Counter
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from .problems import Invalid, Problem, Unavailable
from .validation_messages import echo, expectation

MEDIA_TYPE = "application/problem+json"
log = structlog.stdlib.get_logger("wassay.problems")

MAX_REPORTED_ERRORS = 20
ECHOED_JSON = 20
"""How many characters of a malformed body are repeated, beginning where it is malformed."""
BODY_AND_FIELD = 2
"""How many parts the location of a top-level field has: `body` and the field's name."""

responses = Counter(
    "wassay_problems", "Responses with a problem, by the last part of the problem's type.", ["type"]
)


def problem_response(problem: Problem) -> Response:
    """Return the response that reports a problem."""
    return _response(problem.body(correlation_id.get()), problem.headers)


def install(app: FastAPI) -> None:
    """Register the exception handlers of an application."""

    @app.exception_handler(Problem)
    async def _typed(_request: Request, problem: Problem) -> Response:
        return problem_response(problem)

    @app.exception_handler(RequestValidationError)
    async def _validation(request: Request, error: RequestValidationError) -> Response:
        return problem_response(_invalid(error, _fields_of_body(request)))

    @app.exception_handler(HTTPException)
    async def _framework(request: Request, error: HTTPException) -> Response:
        return _framework_response(request, error)

    @app.exception_handler(OperationalError)
    @app.exception_handler(PoolTimeout)
    async def _unavailable(_request: Request, error: Exception) -> Response:
        log.warning("database unavailable", exc_info=error)
        return problem_response(
            Unavailable(
                "The database does not respond; nothing was changed. Try again in a moment."
            )
        )


def unexpected_error_response() -> Response:
    """Return the response to an unhandled exception, with the request id but without the cause."""
    return _response(
        {
            "type": "/problems/unexpected",
            "title": "Unexpected",
            "status": 500,
            "detail": "The service failed unexpectedly. Report the request id to the operator, "
            "whose log has the cause.",
            "request_id": correlation_id.get(),
        },
        {},
    )


def _invalid(error: RequestValidationError, fields: Iterable[str]) -> Problem:
    errors = error.errors()
    reported = [_describe(item, error.body, fields) for item in errors[:MAX_REPORTED_ERRORS]]
    first = reported[0]
    return Invalid(
        f"{first['location']}: {first['expected']}; received {first['received']}."
        + (f" {len(errors) - 1} further errors are listed in errors." if len(errors) > 1 else ""),
        errors=reported,
    )


def _describe(item: Mapping[str, Any], body: Any, fields: Iterable[str]) -> dict[str, str]:
    """Return a validation error's `location`, what was `expected` there, and what was `received`.

    `fields` are the names that the request's `body` may have; one of them is suggested for a
    misspelt name.
    """
    location, received = ".".join(str(part) for part in item["loc"]), echo(item.get("input"))
    expected = expectation(item, fields if len(item["loc"]) == BODY_AND_FIELD else ())
    match item["type"]:
        case "union_tag_invalid":
            location = f"{location}.{item['ctx']['discriminator'].strip(chr(39))}"
            received = repr(item["ctx"]["tag"])
        case "missing" if location == "body":
            expected, received = "expected a JSON object, such as {}", "nothing"
        case "missing":
            received = "nothing"
        case "json_invalid":
            location, place = "body", item["loc"][-1]
            received = echo(str(body)[max(0, place - 1) :][:ECHOED_JSON])
            expected = f"expected JSON ({item['ctx']['error']} at character {place})"
        case "model_attributes_type" if isinstance(item["input"], bytes):
            expected, received = (
                "expected JSON, with Content-Type: application/json",
                "another type",
            )
    return {"location": location, "expected": expected, "received": received}


def _fields_of_body(request: Request) -> Iterable[str]:
    """Return the names of the fields that the body of a request may have."""
    body = getattr(request.scope.get("route"), "body_field", None)
    kind = None if body is None else body.field_info.annotation
    return getattr(kind, "model_fields", ())


def _framework_response(request: Request, error: HTTPException) -> Response:
    phrase = HTTPStatus(error.status_code).phrase
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.NO_CONTENT:
        return Response(status_code=error.status_code, headers=headers)
    if error.status_code == HTTPStatus.NOT_FOUND:
        docs = f"{request.app.state.settings.root_path}/docs"
        detail = f"There is no route {request.url.path}. See {docs} for the routes."
        if "/v1" not in request.url.path:
            detail += " All routes of the API begin with /v1."
        if request.url.path.endswith("/"):
            detail += " No route ends with a slash."
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_methods(request))
        detail = (
            f"Expected one of {headers['Allow']} for {request.url.path}; received {request.method}."
        )
    elif error.status_code == HTTPStatus.BAD_REQUEST:
        detail = "Expected a body of JSON in UTF-8; received one that cannot be parsed."
    else:
        detail = str(error.detail)
    return _response(
        {
            "type": f"/problems/{phrase.lower().replace(' ', '-')}",
            "title": phrase.capitalize(),
            "status": error.status_code,
            "detail": detail,
            "request_id": correlation_id.get(),
        },
        headers,
    )


def _methods(request: Request) -> list[str]:
    """Return all methods that the request's path allows."""
    # The framework lists only the methods of the first route.
    paths: dict[str, dict[str, Any]] = request.app.openapi()["paths"]
    path = request.url.path.removeprefix(request.app.state.settings.root_path)
    allowed = {
        method.upper()
        for template, operations in paths.items()
        if compile_path(template)[0].match(path)
        for method in operations
    }
    return sorted(allowed | {"HEAD"} if "GET" in allowed else allowed)


def _response(body: dict[str, Any], headers: Mapping[str, str]) -> Response:
    responses.labels(body["type"].rpartition("/")[2]).inc()
    # Escape to ASCII: messages may repeat input with lone surrogates, which UTF-8 cannot encode.
    content = json.dumps(_jsonable(body), ensure_ascii=True, allow_nan=False)
    return Response(
        content, status_code=body["status"], headers=dict(headers), media_type=MEDIA_TYPE
    )


def _jsonable(value: Any) -> Any:
    """Convert a value to JSON types; NaN and infinities become strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_jsonable(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)

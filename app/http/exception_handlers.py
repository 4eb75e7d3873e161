"""Turn every exception into an `application/problem+json` response (RFC 9457)."""

import json
import math
from collections.abc import Mapping, Sequence
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

MEDIA_TYPE = "application/problem+json"
log = structlog.stdlib.get_logger("wassay.problems")

MAX_ECHO_CHARACTERS = 100
MAX_REPORTED_ERRORS = 20

responses = Counter(
    "wassay_problems", "Responses with a problem, by the last part of its type.", ["type"]
)


def problem_response(problem: Problem) -> Response:
    """Return the response for a problem."""
    return _response(problem.body(correlation_id.get()), problem.headers)


def install(app: FastAPI) -> None:
    """Register the exception handlers of an application."""

    @app.exception_handler(Problem)
    async def _typed(_request: Request, problem: Problem) -> Response:
        return problem_response(problem)

    @app.exception_handler(RequestValidationError)
    async def _validation(_request: Request, error: RequestValidationError) -> Response:
        return problem_response(_invalid(error))

    @app.exception_handler(HTTPException)
    async def _framework(request: Request, error: HTTPException) -> Response:
        return _framework_response(request, error)

    @app.exception_handler(OperationalError)
    @app.exception_handler(PoolTimeout)
    async def _unavailable(_request: Request, error: Exception) -> Response:
        log.warning("database unavailable", exc_info=error)
        return problem_response(
            Unavailable("The database is unavailable; nothing was changed. Try again.")
        )


def unexpected_error_response() -> Response:
    """Return the response to an unhandled exception: the request id, without the cause."""
    return _response(
        {
            "type": "/problems/unexpected",
            "title": "Unexpected",
            "status": 500,
            "detail": "The service failed. Report the request id to the operator, whose log has "
            "the cause.",
            "request_id": correlation_id.get(),
        },
        {},
    )


def _invalid(error: RequestValidationError) -> Problem:
    errors = error.errors()
    reported = [_describe(item) for item in errors[:MAX_REPORTED_ERRORS]]
    first = reported[0]
    return Invalid(
        f"{first['location']}: {first['expected']}; received {first['received']}."
        + (f" {len(errors) - 1} more in errors." if len(errors) > 1 else ""),
        errors=reported,
    )


def _describe(item: Mapping[str, Any]) -> dict[str, str]:
    """Describe one validation error without pydantic's vocabulary."""
    location, received = ".".join(str(part) for part in item["loc"]), _echo(item.get("input"))
    expected = item["msg"].removeprefix("Value error, ")
    match item["type"]:
        case "missing":
            received = "nothing"
        case "json_invalid":
            location, received = "body", "something else"
            expected = f"expected JSON ({item['ctx']['error']} at character {item['loc'][-1]})"
        case "model_attributes_type" if isinstance(item["input"], bytes):
            expected, received = (
                "expected JSON, with Content-Type: application/json",
                "another type",
            )
        case "model_attributes_type":
            expected = "expected an object"
    return {"location": location, "expected": expected, "received": received}


def _framework_response(request: Request, error: HTTPException) -> Response:
    phrase = HTTPStatus(error.status_code).phrase
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.NO_CONTENT:
        return Response(status_code=error.status_code, headers=headers)
    if error.status_code == HTTPStatus.NOT_FOUND:
        docs = f"{request.app.state.settings.root_path}/docs"
        detail = f"There is no route {request.url.path}. See {docs} for the routes."
        if request.url.path.endswith("/"):
            detail += " None ends with a slash."
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_methods(request))
        detail = f"Expected one of {headers['Allow']}; received {request.method}."
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
    """Return all methods of a path; the framework lists those of its first route only."""
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
    # Escaped to ASCII: echoed input may hold lone surrogates, which UTF-8 cannot encode.
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


def _echo(value: Any) -> str:
    if isinstance(value, Mapping | list):
        return f"{'an object' if isinstance(value, Mapping) else 'a list'} of {len(value)}"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= MAX_ECHO_CHARACTERS else f"{text[:MAX_ECHO_CHARACTERS]}…"

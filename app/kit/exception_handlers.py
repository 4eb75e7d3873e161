"""Every error as `application/problem+json`: ours, the framework's, and the unexpected ones."""

import json
import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from asgi_correlation_id import correlation_id
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from .problems import Invalid, Problem, Unavailable

MEDIA_TYPE = "application/problem+json"
log = structlog.stdlib.get_logger("wassay.problems")

LONGEST_ECHO = 100
MOST_ERRORS = 20


def problem_response(problem: Problem) -> Response:
    """Return the response that says a problem."""
    return _response(problem.body(correlation_id.get()), problem.headers)


def install(app: FastAPI) -> None:
    """Answer with problems everywhere in an application."""

    @app.exception_handler(Problem)
    async def _ours(_request: Request, problem: Problem) -> Response:
        return problem_response(problem)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> Response:
        return problem_response(_as_problem(error))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        return _framework_response(request, error)

    @app.exception_handler(OperationalError)
    @app.exception_handler(PoolTimeout)
    async def _unavailable(_request: Request, error: Exception) -> Response:
        log.warning("database unavailable", exc_info=error)
        return problem_response(
            Unavailable("The database cannot do this now, and nothing was changed. Try again.")
        )


def unexpected() -> Response:
    """Return the answer to a fault of ours: it says where to look it up, and nothing else."""
    return _response(
        {
            "type": "/problems/unexpected",
            "title": "Unexpected",
            "status": 500,
            "detail": "The service failed; this is a fault of ours. Quote the request id.",
            "request_id": correlation_id.get(),
        },
        {},
    )


def _as_problem(error: RequestValidationError) -> Problem:
    errors = error.errors()
    shown = [_mistake(item) for item in errors[:MOST_ERRORS]]
    first = shown[0]
    return Invalid(
        f"{first['location']}: {first['expected']}; received {first['received']}."
        + (f" And {len(errors) - 1} more, see errors." if len(errors) > 1 else ""),
        errors=shown,
    )


def _mistake(item: Mapping[str, Any]) -> dict[str, str]:
    """Say one mistake of a body, a path or a query, in words for who does not know pydantic."""
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
        detail = f"There is no {request.url.path} here; {docs} lists what there is."
        if request.url.path.endswith("/"):
            detail += " No path ends with a slash."
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_methods(request))
        detail = f"{request.method} is not possible here; {headers['Allow']} is."
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
    """Return what a path allows; the framework names only what its first route does."""
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
    # Escaped to ASCII: what came may hold lone surrogates, which UTF-8 cannot carry.
    content = json.dumps(_jsonable(body), ensure_ascii=True, allow_nan=False)
    return Response(
        content, status_code=body["status"], headers=dict(headers), media_type=MEDIA_TYPE
    )


def _jsonable(value: Any) -> Any:
    """Return what JSON can say of a value; NaN and infinities become words."""
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
    return text if len(text) <= LONGEST_ECHO else f"{text[:LONGEST_ECHO]}…"

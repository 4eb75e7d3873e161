"""Every error is a problem that says what to do and reveals nothing."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from app.references.models import Reference
from tests.app.conftest import Party, Service, problem
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

Http = Callable[..., Party]

NEW: dict[str, Any] = {"size": 1, "dimension": 1, "distribution": {"kind": "constant"}}
JSON = {"Content-Type": "application/json"}


def test_an_unknown_route_is_named(anonymous: httpx.Client) -> None:
    response = anonymous.get("/v1/nothing")
    assert problem(response) == (404, "not-found")
    assert "/v1/nothing" in response.json()["detail"]


def test_an_unsupported_method_is_refused_with_those_allowed(anonymous: httpx.Client) -> None:
    response = anonymous.put("/v1/listings/lst_1")
    assert problem(response) == (405, "method-not-allowed")
    assert response.headers["allow"] == "GET, HEAD, PATCH"


def test_a_path_with_a_trailing_slash_is_not_found_and_does_not_redirect(
    anonymous: httpx.Client,
) -> None:
    # A redirect would name the scheme that the service sees, which is wrong behind a TLS proxy.
    response = anonymous.get("/v1/listings/", headers={"Host": "wassay.example"})
    assert problem(response) == (404, "not-found")
    assert "No route ends with a slash" in response.json()["detail"]


def test_the_request_id_of_the_caller_is_in_the_problem(anonymous: httpx.Client) -> None:
    request_id = "0123456789abcdef0123456789abcdef"
    response = anonymous.get("/v1/nothing", headers={"X-Request-Id": request_id})
    assert response.headers["x-request-id"] == response.json()["request_id"] == request_id
    forged = anonymous.get("/v1/nothing", headers={"X-Request-Id": 'x", "level": "error'})
    assert forged.headers["x-request-id"] != 'x", "level": "error'


def test_every_invalid_field_is_named(http: Http) -> None:
    response = http("buyer").post("/v1/references", json={"size": 0, "sise": 1})
    assert problem(response) == (422, "invalid")
    locations = {error["location"] for error in response.json()["errors"]}
    assert locations == {"body.size", "body.dimension", "body.distribution", "body.sise"}


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 422, "body: expected a JSON object, such as {}; received nothing"),
        (b"{", 422, "body: expected JSON (Expecting property name"),
        (b"null", 422, "body: expected an object; received null"),
        (b"[]", 422, "body: expected an object; received a list of 0"),
        (b'{"\\ud800": "\\udfff"}', 422, "unicode string"),
        (b'{"\xff": 1}', 400, ""),
        (b"[" * 100_000, 400, ""),
        (b'{"size": ' + b"9" * 5000 + b"}", 400, ""),
    ],
    ids=["empty", "cut", "null", "list", "surrogates", "not-utf8", "deep", "huge-number"],
)
def test_a_body_that_cannot_be_parsed_is_a_bad_request(
    http: Http, body: bytes, status: int, said: str
) -> None:
    response = http("buyer").post("/v1/references", content=body, headers=JSON)
    assert response.status_code == status, response.text
    assert said in response.json()["detail"]
    problem(response)
    assert len(response.content) < 2000


def test_a_body_that_is_not_json_is_refused(http: Http) -> None:
    content, headers = json.dumps(NEW), {"Content-Type": "text/plain"}
    response = http("buyer").post("/v1/references", content=content, headers=headers)
    assert problem(response) == (422, "invalid")
    assert "Content-Type: application/json" in response.json()["detail"]


def test_an_unexpected_error_discloses_the_request_id_only(http: Http, service: Service) -> None:
    buyer = http("buyer")
    made = buyer.post("/v1/references", json=NEW).json()
    with service.database.transaction() as session:
        session.execute(
            update(Reference)
            .where(Reference.id == made["id"])
            .values(distribution={"kind": "of another version"})
        )
    response = buyer.get("/v1/references")
    assert problem(response) == (500, "unexpected")
    assert response.json().keys() == {"type", "title", "status", "detail", "request_id"}
    for inside in ("Traceback", "pydantic", "distribution", "another version", made["id"]):
        assert inside not in response.text

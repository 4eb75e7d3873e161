"""Pages of other origins: only those that the operator lists may call the service."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from app.database import Database
from app.http import cross_origin
from app.settings import Settings
from tests.app.conftest import Party, Service, new_parties, problem, running_app
from tests.app.described import OPENAPI
from tests.conftest import ON_SQLITE

PAGE = "https://app.example"
NEW = {"title": "Digits", "dimension": 2, "points": 100}


@pytest.fixture(scope="module")
def open_to_pages(settings: Settings, database: Database) -> Iterator[Service]:
    chosen = {"cors_origins": (PAGE, "http://localhost:5173")}
    with running_app(settings.model_copy(update=chosen), database) as service:
        yield service


@pytest.fixture
def seller(open_to_pages: Service) -> Iterator[Party]:
    with new_parties(open_to_pages) as new:
        yield new("seller")


def preflight(client: httpx.Client, origin: str, **asked: str) -> httpx.Response:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": asked.get("method", "PATCH"),
        "Access-Control-Request-Headers": asked.get("headers", "authorization,if-match"),
    }
    return httpx.options(f"{client.base_url}/v1/listings/lst_1", headers=headers)


@ON_SQLITE
def test_a_listed_origin_may_make_every_call_without_cookies(seller: Party) -> None:
    wanted = ", ".join(cross_origin.REQUEST_HEADERS).lower()
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
        answer = preflight(seller, PAGE, method=method, headers=wanted)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == PAGE
        assert method in answer.headers["access-control-allow-methods"]
        assert "Origin" in answer.headers["vary"]
        assert "access-control-allow-credentials" not in answer.headers


@ON_SQLITE
def test_a_listed_origin_reads_the_headers_of_refusals_too(seller: Party) -> None:
    made = seller.post("/v1/listings", json=NEW, headers={"Origin": PAGE})
    refused = seller.get("/v1/listings/lst_1", headers={"Origin": PAGE, "Authorization": "no"})
    assert (made.status_code, refused.status_code) == (201, 401)
    for answer in (made, refused):
        assert answer.headers["access-control-allow-origin"] == PAGE
        shown = set(answer.headers["access-control-expose-headers"].split(", "))
        assert shown >= {"ETag", "Location", "Content-Digest", "Retry-After", "X-Request-Id"}
        assert shown >= {"RateLimit", "RateLimit-Policy"}
        assert "access-control-allow-credentials" not in answer.headers


@ON_SQLITE
@pytest.mark.parametrize(
    "origin",
    ["https://app.example.evil", "http://app.example", "https://app.example:8443", "null"],
)
def test_another_origin_may_not_call(seller: Party, origin: str) -> None:
    answer = preflight(seller, origin)
    assert problem(answer) == (400, "bad-request")
    assert "WASSAY_CORS_ORIGINS" in answer.json()["detail"]
    got = seller.get("/v1/listings", headers={"Origin": origin})
    for each in (answer, got):
        assert "access-control-allow-origin" not in each.headers
        assert "Origin" in each.headers["vary"]


@ON_SQLITE
def test_without_the_setting_no_origin_may_call(http: Callable[..., Party]) -> None:
    party = http("seller")
    assert problem(preflight(party, PAGE)) == (405, "method-not-allowed")
    got = party.get("/v1/listings", headers={"Origin": PAGE})
    assert not [name for name in got.headers if name.startswith("access-control-")]


@ON_SQLITE
def test_pages_may_send_every_header_that_an_operation_takes(service: Service) -> None:
    operations: list[dict[str, Any]] = [
        operation for path in OPENAPI["paths"].values() for operation in path.values()
    ]
    taken = {
        parameter["name"].lower()
        for operation in operations
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "header"
    }
    assert "if-match" in taken
    always = {"accept"}
    assert taken <= {name.lower() for name in cross_origin.REQUEST_HEADERS} | always


def test_origins_come_from_the_environment_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASSAY_CORS_ORIGINS", f"{PAGE}, http://localhost:5173,")
    assert Settings().cors_origins == (PAGE, "http://localhost:5173")
    monkeypatch.setenv("WASSAY_CORS_ORIGINS", "")
    assert Settings().cors_origins == ()


@pytest.mark.parametrize(
    "origin", ["*", "app.example", "https://app.example/", "https://*.example", "null"]
)
def test_an_invalid_origin_is_refused(origin: str) -> None:
    with pytest.raises(ValidationError, match="expected comma-separated origins"):
        Settings(cors_origins=(PAGE, origin))

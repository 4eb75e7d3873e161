"""A service under a path prefix of a proxy, whether or not the proxy strips the prefix."""

import re
from collections.abc import Callable, Iterator

import pytest
from pydantic import ValidationError

from app.database import Database
from app.settings import Settings
from tests.app.conftest import Party, Service, new_parties, problem, running_app
from tests.conftest import ON_SQLITE

NEW = {"title": "Digits", "dimension": 2, "points": 100}
Http = Callable[..., Party]


@pytest.fixture(scope="module")
def below(settings: Settings, database: Database) -> Iterator[Service]:
    with running_app(settings.model_copy(update={"root_path": "/wassay"}), database) as service:
        yield service


@pytest.fixture(params=["passed on", "removed"])
def seller(request: pytest.FixtureRequest, below: Service) -> Iterator[Party]:
    """A client whose calls reach the service as a proxy would pass them on."""
    with new_parties(below) as new:
        party = new("seller")
        if request.param == "passed on":
            party.base_url = f"{below.url}/wassay"
        yield party


@ON_SQLITE
def test_a_location_has_the_path_prefix(seller: Party, below: Service) -> None:
    made = seller.post("/v1/listings", json=NEW, headers={"Idempotency-Key": "a"})
    again = seller.post("/v1/listings", json=NEW, headers={"Idempotency-Key": "a"})
    assert made.status_code == again.status_code == 201
    location = f"/wassay/v1/listings/{made.json()['id']}"
    assert made.headers["location"] == again.headers["location"] == location
    seller.base_url = below.url
    assert seller.get(location).json() == made.json()


@ON_SQLITE
def test_lists_continue_from_their_cursors(seller: Party) -> None:
    for _ in range(3):
        seller.post("/v1/listings", json=NEW)
    first = seller.get("/v1/listings?limit=2").json()
    second = seller.get("/v1/listings", params={"cursor": first["next_cursor"]}).json()
    assert first["items"][0]["id"] > first["items"][1]["id"] > second["items"][0]["id"]


@ON_SQLITE
def test_swagger_ui_and_its_files_and_the_servers_of_openapi_are_there(
    seller: Party, below: Service
) -> None:
    assert seller.get("/openapi.json").json()["servers"] == [{"url": "/wassay"}]
    page = seller.get("/docs").text
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert "'/wassay/openapi.json'" in page.replace('"', "'")
    seller.base_url = below.url
    assert len(loaded) == 3
    for address in loaded:
        assert address.startswith("/wassay/docs/files/")
        assert seller.get(address).status_code == 200


@ON_SQLITE
def test_an_unknown_path_is_answered_with_the_documentations_address(seller: Party) -> None:
    nothing = seller.get("/v1/nothing")
    assert problem(nothing) == (404, "not-found")
    assert "There is no route /wassay/v1/nothing. See /wassay/docs" in nothing.json()["detail"]
    impossible = seller.put("/v1/listings/lst_1")
    assert problem(impossible) == (405, "method-not-allowed")
    assert impossible.headers["allow"] == "GET, HEAD, PATCH"


@ON_SQLITE
def test_requests_are_counted_by_the_template_of_their_route(seller: Party) -> None:
    seller.get("/v1/listings")
    assert 'method="GET",route="/v1/listings"' in seller.get("/metrics").text


@ON_SQLITE
def test_a_path_that_shares_the_prefixs_first_letters_is_not_under_it(
    seller: Party, below: Service
) -> None:
    seller.base_url = below.url
    assert seller.get("/wassays/healthz").status_code == 404
    assert seller.get("/wassay").status_code == 404


def test_a_trailing_slash_of_the_prefix_changes_nothing() -> None:
    assert Settings(root_path="/a/b/").root_path == "/a/b"
    assert Settings(root_path="/").root_path == ""


@pytest.mark.parametrize("path", ["wassay", "https://host/wassay", "/a//b", "/a b", "/../x", "/ä"])
def test_an_invalid_prefix_is_refused(path: str) -> None:
    with pytest.raises(ValidationError, match="expected a path such as /wassay"):
        Settings(root_path=path)

"""HEAD has the status and headers of GET on every route, without the body."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party, Service, problem
from tests.app.described import OPENAPI
from tests.app.test_openapi_fuzz import Somebody, somebody
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

Http = Callable[..., Party]
EACH_TIME_ANOTHER = {"date", "x-request-id", "ratelimit", "transfer-encoding", "connection"}
SIZE_CHANGES = {"/metrics"}


@pytest.fixture
def known(http: Http) -> Somebody:
    return somebody(http)


def test_head_has_the_status_and_the_headers_of_get_on_every_route(
    known: Somebody, service: Service
) -> None:
    paths = {
        path.format(**known.theirs, s=0.25, digest="0" * 64)
        for path, operations in OPENAPI["paths"].items()
        if "get" in operations and not path.endswith("/events")
    } | {"/docs", "/openapi.json", "/docs/files/swagger-ui.css"}
    assert len(paths) > 25
    for path in sorted(paths):
        got, head = known.party.get(path), known.party.head(path)
        assert head.content == b""
        assert head.status_code == got.status_code, path
        left_out = EACH_TIME_ANOTHER | ({"content-length"} if path in SIZE_CHANGES else set())
        headers = [
            {name: value for name, value in answer.headers.items() if name not in left_out}
            for answer in (got, head)
        ]
        if got.is_success:
            assert headers[0] == headers[1], path
        else:
            assert headers[0].keys() == headers[1].keys(), path


def test_head_of_an_event_stream_ends_at_once(known: Somebody) -> None:
    path = f"/v1/evaluations/{known.theirs['evaluation_id']}/events"
    for _ in range(2):  # the connection serves the next request
        head = known.party.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"].startswith("text/event-stream")


def test_head_is_counted_and_refused_as_get_is(known: Somebody, http: Http) -> None:
    path = f"/v1/requests/{known.theirs['request_id']}"
    assert known.party.head(path).headers["etag"] == known.party.get(path).headers["etag"]
    stranger = http("seller")
    stranger.headers["Authorization"] = "Bearer wsy_nobody"
    assert stranger.head(path).status_code == 401
    assert 'method="HEAD",route="/v1/requests/{request_id}"' in known.party.get("/metrics").text


def test_head_without_get_is_not_allowed(known: Somebody) -> None:
    path = f"/v1/requests/{known.theirs['request_id']}/open"
    assert known.party.head(path).status_code == 405
    assert problem(known.party.get(path)) == (405, "method-not-allowed")

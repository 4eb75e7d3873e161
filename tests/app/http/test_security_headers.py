"""Responses stay out of caches, and browsers do not guess their type."""

from collections.abc import Callable

import httpx

from tests.app.conftest import Party
from tests.app.requests.market import POINTS, draft, put
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE


def test_no_cache_keeps_a_response_of_the_api(
    http: Callable[..., Party], anonymous: httpx.Client
) -> None:
    buyer = http("buyer")
    request_id = draft(buyer)
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    tag = buyer.get(f"/v1/requests/{request_id}").headers["etag"]
    answers = [
        buyer.get("/v1/accounts/me"),
        buyer.get(f"/v1/requests/{request_id}", headers={"If-None-Match": tag}),
        buyer.get(f"/v1/requests/{request_id}/measure"),
        buyer.get("/v1/requests/req_none"),
        buyer.post("/v1/requests", content=b"{"),
        anonymous.get("/v1/accounts/me"),
    ]
    assert [answer.status_code for answer in answers] == [200, 304, 200, 404, 422, 401]
    for answer in answers:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"

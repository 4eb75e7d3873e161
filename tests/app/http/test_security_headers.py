"""Responses stay out of caches, and browsers do not guess their type."""

from collections.abc import Callable

import httpx
import pytest

from tests.app.conftest import Party
from tests.app.requests.market import POINTS, draft, put, refused
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


@pytest.mark.parametrize(
    "body",
    [
        '{"size": 1, "dimension": 2, "size": 3, "distribution": {"kind": "normal"}}',
        '{"size": 1, "dimension": 2, "distribution": {"kind": "normal", "kind": "normal"}}',
    ],
)
def test_a_name_twice_in_one_object_is_refused(http: Callable[..., Party], body: str) -> None:
    sent = http("buyer").post(
        "/v1/references", content=body, headers={"Content-Type": "application/json"}
    )
    answer = refused(sent, 422, "invalid")
    assert "twice" in answer["detail"]


def test_a_name_twice_in_a_small_array_is_refused(http: Callable[..., Party]) -> None:
    buyer = http("buyer")
    path = f"/v1/requests/{draft(buyer)}/measure"
    body = b'{"points": [[0, 1]], "points": [[2, 3]]}'
    answer = refused(put(buyer, path, body, media_type="application/json"), 422, "malformed-array")
    assert "twice" in answer["detail"]


def test_swagger_ui_runs_its_own_scripts_alone_in_no_frame(anonymous: httpx.Client) -> None:
    page = anonymous.get("/docs")
    policy = page.headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in rules["script-src"]
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-content-type-options"] == "nosniff"

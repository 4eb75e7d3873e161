"""A JSON object with the same name twice is refused."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party
from tests.app.requests.market import draft, put, refused
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE


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

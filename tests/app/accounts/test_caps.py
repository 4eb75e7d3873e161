"""The caps of an account: read and set by the account itself."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.app.conftest import Party, problem
from tests.app.requests.market import refused
from tests.conftest import ON_POSTGRES
from wassay import models as wire

Http = Callable[..., Party]
NONE = wire.Caps().model_dump(mode="json")


def test_an_account_reads_the_caps_that_it_has_set_and_none_at_first(http: Http) -> None:
    seller = http("seller")
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.get(path).json() == NONE
    for caps in ({"evaluations": 3, "uniform_weights": True}, {"buyer_points": 7}):
        assert seller.put(path, json=caps).json() == NONE | caps
        assert seller.get(path).json() == NONE | caps


def test_nobody_reads_or_sets_the_caps_of_another_account(http: Http) -> None:
    seller, other = http("seller"), http("seller", "admin")
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert problem(http("buyer").get(path)) == (403, "forbidden")
    assert problem(other.get(path)) == (403, "forbidden")
    assert problem(other.put(path, json={"evaluations": 1})) == (403, "forbidden")
    assert seller.get(path).json() == NONE


@ON_POSTGRES
@pytest.mark.parametrize(
    "caps",
    [
        {"evaluations": -1},
        {"questions": -1},
        {"evaluations": 1.5},
        {"evaluations": True},
        {"evaluation": 3},
        {"uniform_weights": 1},
        {"evaluations": 2**31},
        {"epsilon": -0.1},
    ],
)
def test_invalid_caps_are_refused(http: Http, caps: dict[str, Any]) -> None:
    seller = http("seller")
    path = f"/v1/accounts/{seller.account_id}/caps"
    refused(seller.put(path, json=caps), 422, "invalid")
    listing = {"title": "Mine", "dimension": 3, "points": 10, "caps": caps}
    refused(seller.post("/v1/listings", json=listing), 422, "invalid")

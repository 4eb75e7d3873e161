"""The caps of an account: read and set by the account itself."""

from collections.abc import Callable

from tests.app.conftest import Party, problem
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
    seller, other = http("seller"), http("seller")
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert problem(other.get(path)) == (403, "forbidden")
    assert problem(other.put(path, json={"evaluations": 1})) == (403, "forbidden")
    assert seller.get(path).json() == NONE

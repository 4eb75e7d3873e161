"""What a published result adds to the ledgers of the sellers."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party
from tests.app.evaluations.market import SWEEP, data, evaluate, market, result
from wassay import models as wire
from wassay.disclosures import verify

pytestmark = pytest.mark.usefixtures("worker")


def answers(seller: Party, buyer: Party) -> list[wire.Disclosure]:
    page = seller.get("/v1/disclosures", params={"limit": 100})
    found = wire.Page[wire.Disclosure].model_validate_json(page.content)
    return [row for row in verify(found.items) if row.viewer_id == buyer.account_id]


def learnt(seller: Party, organisation: str) -> tuple[str, int | None, int]:
    (found,) = (
        item
        for item in seller.get("/v1/disclosures/combined").json()["items"]
        if item["viewer_organisation"] == organisation
    )
    return found["disclosure_class"], found["rank"], found["questions"]


def test_a_result_discloses_distances_and_of_the_scores_what_sellers_show(
    http: Callable[..., Party],
) -> None:
    policies = ["none", "ranks", "scores"]
    buyer, sellers, request_id, contributions = market(
        http, data(6, 7, 8), ["measure"] * 3, policies
    )
    assert [answers(seller, buyer) for seller in sellers] == [[], [], []]

    for _ in range(2):  # the same question again has the same answer, and says nothing new
        result(buyer, evaluate(buyer, request_id))

    for seller, policy, points in zip(sellers, policies, (6, 7, 8), strict=True):
        rows = answers(seller, buyer)
        assert [row.kind for row in rows] == ["distances", policy][: 1 + (policy != "none")]
        for row in rows:
            assert (row.viewer_organisation, row.request_id) == ("Acme", request_id)
            assert (row.sweep, row.points, row.dimension) == (list(SWEEP), points, 3)
    # Scores at three s are three questions of the four that locate points in three dimensions. With
    # the one who shows them alone, the buyer also reads the scores of the buyer's own points.
    assert learnt(sellers[2], "Acme") == ("projection", 2, 3)
    result(buyer, evaluate(buyer, request_id, contribution_ids=[contributions[2]]))
    added = answers(sellers[2], buyer)[2:]
    assert [row.kind for row in added] == ["distances", "scores", "buyer-scores"]
    assert learnt(sellers[2], "Acme") == ("exact", None, 6)
    seen = buyer.get("/v1/disclosures", params={"role": "viewer", "limit": 100}).json()["items"]
    assert len(seen) == 1 + 2 + 5

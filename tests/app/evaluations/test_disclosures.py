"""The ledger entries of a published result."""

from collections.abc import Callable

import pytest

from tests.app.conftest import Party
from tests.app.evaluations.market import SWEEP, answer, ask, data, evaluate, market, result
from tests.conftest import ON_SQLITE
from wassay import models as wire
from wassay.ledger import verify

pytestmark = [ON_SQLITE, pytest.mark.usefixtures("worker")]


def shown(owner: Party, viewer: Party) -> list[wire.Disclosure]:
    """Return the rows of the owner's ledger about one viewer, oldest first."""
    page = owner.get("/v1/disclosures", params={"limit": 100})
    found = wire.Page[wire.Disclosure].model_validate_json(page.content)
    return [row for row in verify(found.items) if row.viewer_id == viewer.account_id]


def kinds(owner: Party, viewer: Party) -> list[str]:
    return [row.kind for row in shown(owner, viewer)]


def learnt(seller: Party, organisation: str) -> tuple[str, int | None, int]:
    (found,) = (
        item
        for item in seller.get("/v1/disclosures/combined").json()["items"]
        if item["viewer_organisation"] == organisation
    )
    return found["disclosure_class"], found["rank"], found["questions"]


def test_a_result_discloses_distances_and_the_visible_scores(
    http: Callable[..., Party],
) -> None:
    policies = ["none", "ranks", "scores"]
    buyer, sellers, request_id, contributions = market(
        http, data(10, 11, 12), ["measure"] * 3, policies
    )
    assert [kinds(seller, buyer) for seller in sellers] == [[], [], []]

    for _ in range(2):  # repeating a question discloses nothing new
        result(buyer, evaluate(buyer, request_id))

    for seller, policy, points in zip(sellers, policies, (10, 11, 12), strict=True):
        rows = shown(seller, buyer)
        assert [row.kind for row in rows] == ["distances", "noisiest"][: 1 + (policy != "none")]
        for row in rows:
            assert (row.viewer_organisation, row.request_id) == (buyer.organisation, request_id)
            assert (row.points, row.dimension) == (points, 3)
            # The noisiest points are those at a secret s; the ledger has the middle of the sweep.
            assert row.sweep == (list(SWEEP) if row.kind == "distances" else [SWEEP[1]])
        (of_the_buyer,) = shown(buyer, seller)
        assert (of_the_buyer.kind, of_the_buyer.sweep) == ("seller-noisiest", [SWEEP[1]])
        assert (of_the_buyer.points, of_the_buyer.dimension) == (30, 3)
    # All sellers, this one alone, and without each of the two others, at three s.
    assert learnt(sellers[2], buyer.organisation) == ("projection", 1, 3 * 4)
    # Of a seller evaluated alone, the buyer reads what that seller's policy allows and, if that is
    # scores, the scores of the buyer's own points, too.
    for contribution, kind in zip(contributions, policies, strict=True):
        result(buyer, evaluate(buyer, request_id, contribution_ids=[contribution]))
        seller = sellers[policies.index(kind)]
        added = {"none": [], "ranks": ["ranks"], "scores": ["scores", "buyer-scores"]}[kind]
        before = 1 + (kind != "none")
        assert kinds(seller, buyer)[before:] == ["distances", *added]
    assert learnt(sellers[2], buyer.organisation) == ("exact", None, 3 * 5)
    assert learnt(sellers[1], buyer.organisation) == ("projection", 1, 3 * 5)
    seen = buyer.get("/v1/disclosures", params={"role": "viewer", "limit": 100}).json()["items"]
    assert len(seen) == 1 + 2 + 2 + 1 + 2 + 3


def test_exact_scores_of_a_sellers_points_disclose_all_others_data(
    http: Callable[..., Party],
) -> None:
    buyer, (one, other), request_id, _ = market(
        http, data(6, 7), ["measure"] * 2, ["scores"] * 2, reveals_scores=True
    )
    result(buyer, evaluate(buyer, request_id))

    for reader, owner in ((one, other), (other, one)):
        assert kinds(owner, reader) == ["seller-scores"]
        assert learnt(owner, reader.organisation)[0] == "exact"
        (row,) = shown(buyer, reader)
        # Scores disclose the measure at the buyer's t0, which no ledger states.
        assert (row.kind, row.sweep, row.disclosure_class.value) == (
            "seller-scores",
            [],
            "approximate",
        )


def test_a_buyer_who_is_also_a_seller_discloses_others_as_a_seller_does(
    http: Callable[..., Party],
) -> None:
    buyer, other, held = http("buyer", "seller"), http("seller"), data(10, 12)
    request_id = ask(buyer, held, audience="everyone", reveals_scores=True)
    answer(buyer, request_id, held, 0)
    answer(other, request_id, held, 1, score_policy="scores")
    result(buyer, evaluate(buyer, request_id))
    assert kinds(other, buyer) == ["distances", "noisiest", "seller-scores"]
    assert learnt(other, buyer.organisation)[0] == "exact"

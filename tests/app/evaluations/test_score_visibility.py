"""Which scores each party reads: those to which all consent, and none if a party is small."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from tests.app.conftest import Party
from tests.app.evaluations.market import (
    SWEEP,
    Data,
    data,
    evaluate,
    market,
    result,
)
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE
from wassay.transport import Measure

pytestmark = pytest.mark.usefixtures("worker")

SIZES = (20, 25, 40)


@ON_SQLITE
def test_of_several_sellers_the_buyer_reads_scores_if_all_disclose_them(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    policies = ["none", "ranks", "scores"]
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 3, policies)
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)
    paths = [f"/v1/evaluations/{evaluation_id}/scores/{name}" for name in answers]

    withheld = refused(buyer.get(paths[0]), 403, "scores-withheld")
    own = refused(buyer.get(f"/v1/evaluations/{evaluation_id}/scores"), 403, "scores-withheld")
    assert (own["expected"], own["received"]) == (
        "scores",
        dict(zip(answers, policies, strict=True)),
    )
    assert withheld["received"] == "none"
    for place, seller in enumerate(sellers):
        mine = seller.get(paths[place]).json()
        # Exact scores of one seller's many points would reveal the other sellers' records.
        for seen in [mine] if place == 0 else [mine, buyer.get(paths[place]).json()]:
            assert (seen["values"], seen["spread"], seen["method"]) == (None, None, None)
            assert seen["ranks"] is None
            assert seen["noisiest"] == mine["noisiest"]
            assert len(seen["noisiest"]) == min(*SIZES, held.buyer.size) // 10
        refused(seller.get(paths[(place + 1) % 3]), 404, "not-found")
        refused(seller.get(f"/v1/evaluations/{evaluation_id}/result"), 403, "forbidden")
        refused(seller.get(f"/v1/evaluations/{evaluation_id}/scores"), 403, "forbidden")
        assert seller.get(f"/v1/evaluations/{evaluation_id}").json()["contribution_ids"] == [
            answers[place]
        ]
    unknown = refused(buyer.get(paths[2], params={"s": 0.3}), 404, "unknown-sweep-value")
    assert unknown["expected"] == list(SWEEP)
    chosen = refused(buyer.get(paths[2], params={"s": 0.25}), 403, "scores-withheld")
    assert chosen["received"] == 0.25
    for unreadable in ("2", "0.2_5", " 0.25"):
        refused(buyer.get(paths[2], params={"s": unreadable}), 422, "invalid")


def on_nine_rows(measure: Measure) -> Measure:
    """Return the measure with nearly all of its mass on nine of its rows."""
    weights = np.full(measure.size, 1e-12)
    weights[:9] = 1.0
    return Measure(measure.points, weights / weights.sum())


NOBODY_SMALL = data(40, 20)
SMALL = {
    "a buyer of nine points": data(40, 20, m=9),
    "a buyer whose mass is on nine": replace(NOBODY_SMALL, buyer=on_nine_rows(NOBODY_SMALL.buyer)),
    "a buyer of one place, thirty times": replace(
        NOBODY_SMALL, buyer=Measure(np.repeat(NOBODY_SMALL.buyer.points[:1], 30, axis=0))
    ),
    "a seller whose mass is on nine": replace(
        NOBODY_SMALL,
        sellers=[
            NOBODY_SMALL.sellers[0],
            {s: on_nine_rows(each) for s, each in NOBODY_SMALL.sellers[1].items()},
        ],
    ),
}


@ON_SQLITE
@pytest.mark.parametrize("held", SMALL.values(), ids=SMALL)
def test_no_points_are_named_as_noisiest_if_a_party_is_small(
    http: Callable[..., Party], held: Data
) -> None:
    """Of thousands of points on a circle, the noisiest would show the direction of a record."""
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 2, ["none", "scores"])
    evaluation_id = evaluate(buyer, request_id)
    assert {each["scores_shown"] for each in result(buyer, evaluation_id)["sellers"]} == {"none"}
    for party, name in [*zip(sellers, answers, strict=True), (buyer, answers[1])]:
        response = party.get(f"/v1/evaluations/{evaluation_id}/scores/{name}")
        assert "at least 10 are needed" in refused(response, 403, "scores-withheld")["detail"]
    assert buyer.get(f"/v1/evaluations/{evaluation_id}/report").status_code == 200
    of_the_buyer = buyer.get("/v1/disclosures").json()["items"]
    assert not [each for each in of_the_buyer if each["viewer_id"] is not None]


@ON_SQLITE
def test_of_a_single_seller_the_buyer_reads_what_that_seller_discloses(
    http: Callable[..., Party],
) -> None:
    held = data(*SIZES)
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * 2, ["ranks", "scores"])
    read = []
    for name in answers:
        evaluation_id = evaluate(buyer, request_id, contribution_ids=[name])
        result(buyer, evaluation_id)
        read.append(f"/v1/evaluations/{evaluation_id}/scores/{name}")

    ranks, scores = buyer.get(read[0]).json(), buyer.get(read[1]).json()

    assert (ranks["values"], ranks["spread"], ranks["method"]) == (None, None, None)
    assert sorted(ranks["ranks"]) == list(range(SIZES[0]))
    few = SIZES[0] // 10
    assert sorted(np.argsort(ranks["ranks"])[:few].tolist()) == ranks["noisiest"]
    few = min(SIZES[1], held.buyer.size) // 10
    assert set(scores["noisiest"]) == set(np.argsort(scores["values"])[-few:].tolist())
    assert np.argsort(scores["ranks"])[0] == np.argmax(scores["values"])
    for seller, path in zip(sellers, read, strict=True):  # the buyer does not reveal scores
        assert (seller.get(path).json()["values"], seller.get(path).json()["ranks"]) == (None, None)


@ON_SQLITE
def test_a_seller_reads_exact_scores_if_the_buyer_and_all_other_sellers_consent(
    http: Callable[..., Party],
) -> None:
    buyer, sellers, request_id, answers = market(
        http, data(*SIZES[:2]), ["measure"] * 2, ["none", "scores"], reveals_scores=True
    )
    evaluation_id = evaluate(buyer, request_id)
    result(buyer, evaluation_id)
    for seller, name, is_exact in zip(sellers, answers, (True, False), strict=True):
        seen = seller.get(f"/v1/evaluations/{evaluation_id}/scores/{name}").json()
        assert (seen["values"] is not None) == (seen["ranks"] is not None) == is_exact


@ON_SQLITE
def test_lists_of_the_noisiest_are_alike_for_parties_of_40_and_of_49_points(
    http: Callable[..., Party],
) -> None:
    """A party of 69 points has lists of five, as one of 50 has, so a list tells only a range."""
    lengths = []
    for size in (40, 49, 69):
        buyer, sellers, request_id, answers = market(
            http, data(size, 70, m=80), ["measure"] * 2, ["ranks", "ranks"]
        )
        evaluation_id = evaluate(buyer, request_id)
        result(buyer, evaluation_id)
        read = [(sellers[1], answers[1]), *((buyer, name) for name in answers)]
        lengths.append([
            len(party.get(f"/v1/evaluations/{evaluation_id}/scores/{name}").json()["noisiest"])
            for party, name in read
        ])  # fmt: skip
    assert lengths == [[3] * 3, [3] * 3, [5] * 3]

"""The coverage of the buyer's points in a result, and its row in the ledger."""

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from tests.app.conftest import Party
from tests.app.evaluations.market import data, evaluate, market, result
from tests.conftest import ON_SQLITE
from wassay.transport import swept_coverage

pytestmark = [ON_SQLITE, pytest.mark.usefixtures("worker")]


def test_a_result_says_how_much_sellers_who_sent_points_cover(http: Callable[..., Party]) -> None:
    held = data(25, 40, 30)
    modes = ["measure", "measure", "cost-block"]
    buyer = http("buyer")
    law = {"size": 1, "dimension": 3, "distribution": {"kind": "normal"}}
    reference_id = buyer.post("/v1/references", json=law).json()["id"]
    _, sellers, request_id, answers = market(
        http, held, modes, buyer=buyer, reference_id=reference_id
    )
    found = result(buyer, evaluate(buyer, request_id))["coverage"]

    digest = buyer.get(f"/v1/requests/{request_id}").json()["measure"]["digest"]
    seed = int.from_bytes(hashlib.sha256(digest.encode()).digest()[:16])
    points = dict(zip(answers[:2], held.sellers, strict=False))
    expected = swept_coverage(held.buyer, points, seed)
    assert expected is not None
    np.testing.assert_allclose(found["sweep"], expected.sweep)
    assert found["examined"] == held.buyer.size
    for group in found["groups"]:
        members = tuple(group["contribution_ids"])
        np.testing.assert_allclose(group["shares"], expected.shares[members])
        assert group["expected"] == pytest.approx(expected.expected[members])
    assert len(found["groups"]) == len(expected.shares) == 3

    for seller, compared in zip(sellers, (True, True, False), strict=True):
        rows = seller.get("/v1/disclosures", params={"limit": 100}).json()["items"]
        told = [row for row in rows if row["kind"] == "coverage"]
        assert len(told) == compared
        for row in told:
            assert (row["sweep"], row["coalitions"]) == (found["sweep"], 2)
            assert (row["viewer_organisation"], row["disclosure_class"]) == (
                buyer.organisation,
                "scalars",
            )

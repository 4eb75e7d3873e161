"""Anomalies in sellers' arrays, as the buyer reads them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from app.evaluations.computing.anomaly_detection import findings_to_wire, visible_finding
from tests.app.conftest import Party
from tests.app.evaluations.market import SWEEP, data, distances, evaluate, market, result
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE
from wassay.transport import Measure
from wassay.transport.anomalies import Finding

pytestmark = [ON_SQLITE, pytest.mark.usefixtures("worker")]


def test_anomalies_are_reported_to_the_buyer_alone_and_change_no_distance(
    http: Callable[..., Party],
) -> None:
    held = data(40, 45, m=40, d=5)
    honest, other = held.sellers
    stolen = dict.fromkeys(SWEEP, held.buyer)
    held = replace(held, sellers=[honest, other, honest, stolen])
    modes = ["measure", "measure", "cost-block", "cost-block"]
    buyer, sellers, request_id, answers = market(http, held, modes)
    evaluation_id = evaluate(buyer, request_id)

    found = result(buyer, evaluation_id)

    told = {each["kind"]: each for each in found["findings"]}
    assert set(told) == {"copies-buyer", "copies-seller"}
    assert len(found["findings"]) == 2
    copy, replay = told["copies-buyer"], told["copies-seller"]
    assert copy["contribution_id"] == answers[3]
    assert (copy["examined"], copy["found"], copy["chance"]) == (40, None, None)
    assert copy["detail"].startswith("At least half of the points of ")
    assert answers[3] in copy["detail"]
    for seller, kinds in zip(
        sellers, [{"findings"}, set(), {"findings"}, {"findings"}], strict=True
    ):
        rows = seller.get("/v1/disclosures?limit=100").json()["items"]
        assert {row["kind"] for row in rows} & {"findings"} == kinds
    assert {replay["contribution_id"], replay["other_contribution_id"]} == {answers[0], answers[2]}
    assert len(found["sellers"]) == 4
    assert max(distances(found["sellers"][3]["singleton"])) < 1e-6
    for seller in sellers:
        refused(seller.get(f"/v1/evaluations/{evaluation_id}/result"), 403, "forbidden")
        assert "copies" not in seller.get(f"/v1/evaluations/{evaluation_id}").text
        assert "copies" not in seller.get(f"/v1/evaluations/{evaluation_id}/receipt").text


def test_honest_contributions_have_no_findings(http: Callable[..., Party]) -> None:
    buyer, _, request_id, _ = market(http, data(40, 45), ["measure", "cost-block"])
    assert result(buyer, evaluate(buyer, request_id))["findings"] == []


def test_findings_do_not_tell_true_guesses_of_a_record_from_false_ones(
    http: Callable[..., Party],
) -> None:
    """Each confederate sends thirty points, 1e-9 apart, around a guess of the victim's record."""
    held = data(120, d=5)
    (victim,) = held.sellers
    (others,) = data(120, d=5, seed=1).sellers
    around = 1e-9 * np.random.default_rng(2).normal(size=(30, 5))

    def copies(guessed: Mapping[float, Measure], row: int) -> dict[float, Measure]:
        return {s: Measure(at.points[[row]] + (1 - s) * around) for s, at in guessed.items()}

    guesses = [copies(guessed, row) for row in range(3) for guessed in (victim, others)]
    held = replace(held, sellers=[victim, *guesses])
    buyer, sellers, request_id, answers = market(http, held, ["measure"] * len(held.sellers))

    found = result(buyer, evaluate(buyer, request_id))["findings"]

    about_victim = {
        each["other_contribution_id"]
        if each["contribution_id"] == answers[0]
        else each["contribution_id"]
        for each in found
        if answers[0] in (each["contribution_id"], each["other_contribution_id"])
    }
    assert about_victim == set(), f"true guesses: {sorted(answers[1::2])}"
    rows = sellers[0].get("/v1/disclosures?limit=100").json()["items"]
    assert "findings" not in {row["kind"] for row in rows}


def test_copies_are_counted_where_every_seller_in_the_finding_allows_comparison(
    http: Callable[..., Party],
) -> None:
    held = data(40, d=5)
    (own,) = held.sellers
    part = {s: Measure(at.points[:15]) for s, at in own.items()}
    held = replace(held, sellers=[own, part, part])
    buyer, _, request_id, answers = market(
        http, held, ["measure", "cost-block", "measure"], allows_comparison=[True, True]
    )

    (both, of_one) = result(buyer, evaluate(buyer, request_id))["findings"]

    assert (both["kind"], both["found"], both["examined"]) == ("copies-seller", 15, 15)
    assert both["chance"] < 1e-6
    assert {both["contribution_id"], both["other_contribution_id"]} == set(answers[:2])
    # The third seller does not allow comparison. So the buyer reads a finding only for the second,
    # all of whose points are copies, and not for the first.
    assert {of_one["contribution_id"], of_one["other_contribution_id"]} == set(answers[1:])
    assert (of_one["found"], of_one["chance"]) == (None, None)


def test_a_seller_of_copies_is_not_said_to_hold_more_of_the_buyers_points_than_it_does() -> None:
    """Sixty of a seller's hundred points are copies, but of only sixty of the buyer's 256."""
    finding = Finding("copies-buyer", "con_a", 256, 60, chance=1e-9, share=0.6)
    shown = visible_finding(finding, allowing=())
    assert shown is not None
    (told,) = findings_to_wire([shown], [])
    assert (told.found, told.chance) == (None, None)
    assert told.detail.startswith("At least half of the points of ")

"""Leave-one-out coalitions are solved if sellers' caps allow that, or if the buyer insists."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.conftest import Party, Service
from tests.app.evaluations.market import (
    PUSH,
    Data,
    combined_disclosure,
    data,
    evaluate,
    market,
    result,
)
from tests.app.requests.market import refused
from tests.conftest import ON_SQLITE
from wassay import Buyer, Client, Profile, Request
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.buyer.saved_request import SavedRequest

pytestmark = ON_SQLITE

Http = Callable[..., Party]
SIX = data(4, 5, 6, 4, 5, 6, m=8)


def set_questions(seller: Party, questions: int | None) -> None:
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.put(path, json={"questions": questions}).status_code == 200


@pytest.fixture
def loaded(http: Http, service: Service, tmp_path: Path) -> Iterator[tuple[Request, list[Party]]]:
    """Load into the SDK a request with contributions of six sellers with default caps."""
    buyer, sellers, request_id, _ = market(http, SIX, ["measure"] * 6, questions=False)
    path = tmp_path / "request.json"
    SavedRequest(request_id, PrivatePush(PUSH, 0.0), None, None).save(path)
    with Client(service.url, buyer.key) as client:
        yield Buyer(client, Profile(tmp_path / "profile.json")).load(path), sellers


def test_six_sellers_with_default_caps_are_compared_and_the_omission_is_explained(
    loaded: tuple[Request, list[Party]], worker: object, tmp_path: Path
) -> None:
    del worker
    request, sellers = loaded

    evaluation = request.evaluate().wait()
    found = evaluation.result()
    estimates = found.estimates()
    evaluation.report(tmp_path / "report.html")

    assert all(each.leave_one_out is None for each in found.document.sellers)
    assert estimates.grand_coalition is not None
    assert all(each.change is None and each.singleton.value > 0 for each in estimates.sellers)
    why = "allows 12 more questions, and 21 are needed."
    assert estimates.omitted is not None
    assert why in estimates.omitted
    assert estimates.omitted.count(" to 27") == 6
    assert str(estimates).endswith(estimates.omitted)
    assert why in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert combined_disclosure(sellers[0])["questions"] == 6

    for seller in sellers:  # as the explanation asks
        set_questions(seller, 27)
    again = request.evaluate().wait().result().estimates()
    assert again.omitted is None
    assert all(each.change is not None for each in again.sellers)
    assert combined_disclosure(sellers[0])["questions"] == 27


def test_all_caps_that_evaluating_again_would_exceed_are_named(
    loaded: tuple[Request, list[Party]], worker: object
) -> None:
    del worker
    request, sellers = loaded
    set_questions(sellers[0], 25)  # enough for all 21 now, but not after the 6 of this evaluation

    omitted = request.evaluate().wait().result().estimates().omitted

    assert omitted is not None
    assert omitted.count(" to 27") == 6


def test_omitted_coalitions_are_solved_and_counted_when_shapley_values_need_them(
    http: Http, service: Service, worker: object, tmp_path: Path
) -> None:
    del worker
    four = Data(SIX.buyer, SIX.sellers[:4])
    buyer, sellers, request_id, names = market(http, four, ["measure"] * 4, questions=False)
    first = evaluate(buyer, request_id)
    result(buyer, first)
    for seller in sellers:
        set_questions(seller, 2**3 * 3)
    path = tmp_path / "request.json"
    SavedRequest(request_id, PrivatePush(PUSH, 0.0), None, None).save(path)
    with Client(service.url, buyer.key) as client:
        request = Buyer(client, Profile(tmp_path / "profile.json")).load(path)
        values = request.evaluation(first).shapley()

    assert values.ended_by == "every-coalition"
    assert set(values.values) == set(names)
    assert combined_disclosure(sellers[0])["questions"] == 2**3 * 3


def test_an_evaluation_with_leave_one_out_is_refused_unless_every_cap_allows_it(
    http: Http,
) -> None:
    buyer, sellers, request_id, _ = market(
        http, Data(SIX.buyer, SIX.sellers[:4]), ["measure"] * 4, questions=False
    )
    path = f"/v1/requests/{request_id}/evaluations"

    refusal = refused(buyer.post(path, json={"leave_one_out": True}), 409, "cap-exceeded")
    assert (refusal["expected"], refusal["received"], refusal["left"]) == (12, 15, 12)
    assert "Evaluate without leave_one_out" in refusal["detail"]
    for seller in sellers[1:]:
        set_questions(seller, None)
    refused(buyer.post(path, json={"leave_one_out": True}), 409, "cap-exceeded")
    set_questions(sellers[0], 15)
    assert buyer.post(path, json={"leave_one_out": True}).json()["leave_one_out"]
    # A repeated evaluation asks no new questions, so nothing has to be omitted.
    assert buyer.post(path, json={}).json()["leave_one_out"]
    refused(buyer.post(path, json={"leave_one_out": False}), 409, "cap-exceeded")


def test_a_repeated_evaluation_makes_the_same_choice_until_a_cap_is_raised(http: Http) -> None:
    buyer, sellers, request_id, _ = market(
        http, Data(SIX.buyer, SIX.sellers[:3]), ["measure"] * 3, questions=False
    )
    path = f"/v1/requests/{request_id}/evaluations"
    bodies = [{}, {}, {"seller_weighting": "equal"}]
    for seller in sellers:
        set_questions(seller, 18)

    choices = [buyer.post(path, json=body).json()["leave_one_out"] for body in bodies * 2]

    assert choices == [True, True, False, True, True, False]
    seen = sellers[0].get(path).json()["items"]
    assert {each["leave_one_out_omitted"] for each in seen} == {None}  # sellers do not read why


def test_of_two_sellers_each_alone_is_also_all_without_the_other(
    http: Http, worker: object
) -> None:
    del worker
    buyer, sellers, request_id, _ = market(
        http, Data(SIX.buyer, SIX.sellers[:2]), ["measure"] * 2, questions=False
    )
    for seller in sellers:
        set_questions(seller, 6)

    found = result(buyer, evaluate(buyer, request_id, leave_one_out=False))
    again = result(buyer, evaluate(buyer, request_id))

    assert [each["leave_one_out"] for each in found["sellers"]] == [None, None]
    assert all(each["leave_one_out"] is not None for each in again["sellers"])
    assert combined_disclosure(sellers[0])["questions"] == 6


def test_an_extension_inherits_the_choice(http: Http) -> None:
    buyer, _, request_id, _ = market(http, Data(SIX.buyer, SIX.sellers[:1]), ["measure"])
    path = f"/v1/requests/{request_id}/evaluations"
    body = {"extends": "evl_1", "leave_one_out": True, "pairs": True}
    assert "leave_one_out" in refused(buyer.post(path, json=body), 422, "invalid")["detail"]

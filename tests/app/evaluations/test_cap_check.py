"""Caps of a seller's dataset limit all accounts of a buyer's organisation together."""

import threading
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np

from app.accounts.principal import Principal
from app.evaluations.evaluation_cost import SolveLimits
from app.evaluations.evaluation_limits import EvaluationLimits
from app.evaluations.schemas import NewEvaluation
from app.evaluations.service import create_evaluation
from tests.app.conftest import Party, Service
from tests.app.evaluations.market import SWEEP, Data, answer, ask, data, evaluate, put_measure
from tests.app.requests.market import draft, refused
from tests.conftest import ON_POSTGRES
from wassay.transport import Measure

Http = Callable[..., Party]
UNLIMITED = EvaluationLimits(10**6, 10**6)  # evaluations of other tests count, too


def listed(seller: Party, **caps: Any) -> str:
    body = {"title": "Mine", "dimension": 3, "points": 10, "caps": caps}
    published = seller.post("/v1/listings", json=body)
    assert published.status_code == 201, published.text
    assert published.json()["caps"] | caps == published.json()["caps"]
    return str(published.json()["id"])


def asked(buyer: Party, seller: Party, held: Data, **terms: Any) -> str:
    """Return the id of a request with a submitted contribution."""
    request_id = ask(buyer, held, audience="everyone")
    answer(seller, request_id, held, 0, **terms)
    return request_id


def try_to_evaluate(buyer: Party, request_id: str) -> httpx.Response:
    return buyer.post(f"/v1/requests/{request_id}/evaluations", json={})


def test_distances_are_counted_for_each_coalition_and_s_and_once_for_a_repeated_question(
    http: Http,
) -> None:
    buyer = http("buyer", organisation="Asker")
    seller, other = http("seller"), http("seller", organisation="Other")
    listing = listed(seller, questions=14)
    held = data(10, 12)
    request_id = ask(buyer, held, audience="everyone")
    answers = [
        answer(seller, request_id, held, 0, listing_id=listing),
        answer(other, request_id, held, 1, listing_id=listed(other, questions=None)),
    ]
    for _ in range(2):  # the grand coalition and each seller alone, at three s
        evaluate(buyer, request_id)
    evaluate(buyer, request_id, contribution_ids=answers[:1])
    evaluate(buyer, request_id, contribution_ids=answers[1:])

    equal = {"seller_weighting": "equal"}
    asked = buyer.post(f"/v1/requests/{request_id}/evaluations", json=equal)
    refusal = refused(asked, 409, "cap-exceeded")

    assert (refusal["cap"], refusal["dataset"]) == ("questions", listing)
    assert (refusal["expected"], refusal["received"], refusal["left"]) == (14, 6, 5)
    evaluate(buyer, request_id)


def measures(seed: int) -> Data:
    return data(10, seed=seed)


def test_evaluations_are_counted_for_all_accounts_of_an_organisation(http: Http) -> None:
    seller = http("seller", organisation="Seller")
    listing = listed(seller, evaluations=2)
    ada = http("buyer", name="Ada", organisation="Acme")
    bob = http("buyer", name="Bob", organisation="\uff21CME ")
    requests = [
        (buyer, asked(buyer, seller, measures(place), listing_id=listing))
        for place, buyer in enumerate((ada, bob, ada))
    ]
    for buyer, request_id in requests[:2]:
        evaluate(buyer, request_id)

    refusal = refused(try_to_evaluate(*requests[2]), 409, "cap-exceeded")

    assert (refusal["cap"], refusal["dataset"]) == ("evaluations", listing)
    assert (refusal["expected"], refusal["received"], refusal["left"]) == (2, 3, 0)
    refused(try_to_evaluate(*requests[0]), 409, "cap-exceeded")
    stranger = http("buyer", organisation="Stranger")
    evaluate(stranger, asked(stranger, seller, measures(7), listing_id=listing))


def test_a_cancelled_evaluation_is_not_counted_and_another_dataset_is_not_capped(
    http: Http,
) -> None:
    buyer, seller = http("buyer"), http("seller")
    request_id = asked(buyer, seller, measures(0), listing_id=listed(seller, evaluations=1))
    other_id = asked(buyer, seller, measures(0), listing_id=listed(seller))

    cancelled = evaluate(buyer, request_id)
    assert buyer.post(f"/v1/evaluations/{cancelled}/cancel").is_success
    evaluate(buyer, request_id)

    refused(try_to_evaluate(buyer, request_id), 409, "cap-exceeded")
    evaluate(buyer, other_id)


@ON_POSTGRES
def test_a_refused_evaluation_goes_on_without_the_contribution(http: Http) -> None:
    buyer, capped, free = http("buyer"), http("seller"), http("seller")
    held = data(10, 12)
    request_id = ask(buyer, held, audience="everyone")
    refusing = answer(capped, request_id, held, 0, listing_id=listed(capped, evaluations=0))
    other = answer(free, request_id, held, 1)

    assert refusing in refused(try_to_evaluate(buyer, request_id), 409, "cap-exceeded")["detail"]
    evaluate(buyer, request_id, contribution_ids=[other])


def test_two_concurrent_transactions_do_not_both_spend_the_rest_of_a_cap(
    http: Http, service: Service
) -> None:
    seller = http("seller")
    listing = listed(seller, evaluations=1)
    ada, bob = http("buyer", name="Ada"), http("buyer", name="Bob")
    of_ada, of_bob = (
        asked(buyer, seller, measures(place), listing_id=listing)
        for place, buyer in enumerate((ada, bob))
    )
    received: list[httpx.Response] = []
    other = threading.Thread(target=lambda: received.append(try_to_evaluate(bob, of_bob)))

    with service.database.transaction() as session:
        caller = Principal(ada.account_id, ada.organisation, "Ada", frozenset({"buyer"}))
        queue = service.app.state.job_queue
        new, limits = NewEvaluation(coalitions=[]), SolveLimits(2**33, 3600.0)
        create_evaluation(session, queue, caller, of_ada, new, UNLIMITED, limits)
        other.start()
        other.join(0.5)
        assert other.is_alive(), "the second did not wait for the first"
    other.join()

    assert refused(received[0], 409, "cap-exceeded")["left"] == 0
    assert len(ada.get(f"/v1/requests/{of_ada}/evaluations").json()["items"]) == 1


@ON_POSTGRES
def test_a_measure_of_few_distinct_points_or_with_weights_is_refused(
    http: Http, random: np.random.Generator
) -> None:
    buyer, seller = http("buyer"), http("seller")
    listing = listed(seller, buyer_points=20, uniform_weights=True)
    places = random.normal(size=(19, 3))
    few = Measure(np.repeat(places, 4, axis=0))
    weighted = Measure(random.normal(size=(40, 3)), random.dirichlet(np.full(40, 50.0)))

    for measure, cap in ((few, "buyer_points"), (weighted, "uniform_weights")):
        request_id = ask(buyer, Data(measure, []), audience="everyone")
        begun = seller.post(
            f"/v1/requests/{request_id}/contributions",
            json={"mode": "measure", "listing_id": listing},
        )
        assert refused(begun, 409, "cap-exceeded")["cap"] == cap

    enough = Measure(random.normal(size=(30, 3)))
    request_id = ask(buyer, Data(enough, []), audience="everyone")
    answer(seller, request_id, measures(0), 0, listing_id=listing)
    evaluate(buyer, request_id)


@ON_POSTGRES
def test_points_that_the_sellers_cannot_tell_apart_count_as_one(
    http: Http, random: np.random.Generator
) -> None:
    buyer, seller = http("buyer", organisation="Prober"), http("seller")
    listing = listed(seller, buyer_points=20)
    held = data(50, m=40)
    ball = Data(Measure(1 + 1e-6 * random.normal(size=(40, 3))), held.sellers)
    two = np.repeat([[1.0, 0, 0], [-1.0, 0, 0]], 20, axis=0)
    balls = Data(Measure(two + 0.01 * random.normal(size=(40, 3))), held.sellers)

    for probing, places in ((ball, 1), (balls, 2)):
        request_id = asked(buyer, seller, probing, listing_id=listing)
        refusal = refused(try_to_evaluate(buyer, request_id), 409, "cap-exceeded")
        assert (refusal["cap"], refusal["received"]) == ("buyer_points", places)
    evaluate(buyer, asked(buyer, seller, held, listing_id=listing))


@ON_POSTGRES
def test_classes_set_no_points_apart(http: Http, random: np.random.Generator) -> None:
    """Forty points within a ball, each of a class of its own."""
    buyer, seller = http("buyer", organisation="Labeller"), http("seller")
    listing = listed(seller, buyer_points=20)

    def labelled(measure: Measure) -> Measure:
        return Measure(np.column_stack([measure.points, np.arange(measure.size)]), measure.weights)

    ball = Measure(1 + 1e-6 * random.normal(size=(40, 3)))
    offered = {s: labelled(at) for s, at in data(50).sellers[0].items()}
    point = {"size": 1, "dimension": 3, "distribution": {"kind": "normal"}}
    terms = {"reference_id": buyer.post("/v1/references", json=point).json()["id"]}
    request_id = draft(buyer, sweep=SWEEP, labelled=True, audience="everyone", **terms)
    put_measure(buyer, f"/v1/requests/{request_id}/measure", labelled(ball))
    assert buyer.post(f"/v1/requests/{request_id}/open").status_code == 200
    answer(seller, request_id, Data(ball, [offered]), 0, listing_id=listing)

    refusal = refused(try_to_evaluate(buyer, request_id), 409, "cap-exceeded")

    assert (refusal["cap"], refusal["received"]) == ("buyer_points", 1)


@ON_POSTGRES
def test_a_measure_nearly_the_same_as_an_earlier_one_is_not_evaluated(http: Http) -> None:
    seller = http("seller")
    listing = listed(seller, distinct_measures=True)
    ada, bob = http("buyer", name="Ada"), http("buyer", name="Bob")
    draw = np.random.default_rng(2).normal
    first = draw(size=(300, 3))
    almost = -0.8 * first[::-1]
    almost[0] += 1.0
    held = measures(0)
    requests = [
        asked(buyer, seller, Data(Measure(points), held.sellers), listing_id=listing)
        for buyer, points in ((ada, first), (bob, almost), (bob, draw(size=(300, 3))))
    ]

    evaluate(ada, requests[0])
    evaluate(ada, requests[0])
    refusal = refused(try_to_evaluate(bob, requests[1]), 409, "cap-exceeded")
    evaluate(bob, requests[2])

    assert (refusal["cap"], refusal["alike"]) == ("distinct_measures", requests[0])


@ON_POSTGRES
def test_an_accounts_caps_apply_if_a_listing_has_none(http: Http) -> None:
    buyer, seller = http("buyer"), http("seller")
    path = f"/v1/accounts/{seller.account_id}/caps"
    nothing = {
        "questions": 12,
        "evaluations": None,
        "buyer_points": None,
        "uniform_weights": False,
        "distinct_measures": False,
        "epsilon": None,
    }
    assert seller.get(path).json() == nothing
    assert seller.put(path, json={"evaluations": 0}).json() == nothing | {"evaluations": 0}
    own = listed(seller, evaluations=3)
    bare = seller.post("/v1/listings", json={"title": "Bare", "dimension": 3, "points": 10}).json()
    assert bare["caps"] is None

    unlisted = asked(buyer, seller, measures(0))
    for_bare = asked(buyer, seller, measures(1), listing_id=bare["id"])

    refusal = refused(try_to_evaluate(buyer, unlisted), 409, "cap-exceeded")
    assert refusal["dataset"] == seller.account_id
    refused(try_to_evaluate(buyer, for_bare), 409, "cap-exceeded")
    evaluate(buyer, asked(buyer, seller, measures(2), listing_id=own))
    # Caps of the listing itself replace the account's, even if they limit nothing.
    tag = seller.get(f"/v1/listings/{bare['id']}").headers["etag"]
    edited = seller.patch(
        f"/v1/listings/{bare['id']}", json={"caps": {}}, headers={"If-Match": tag}
    )
    assert edited.json()["caps"] == nothing
    evaluate(buyer, for_bare)

"""Arguments are checked before anything is sent."""

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from tests.client.answers import evaluation, request
from tests.client.conftest import KEY, Answer, ScriptedServer
from wassay import (
    Buyer,
    BuyerPrivacy,
    Client,
    Evaluation,
    Normal,
    Protocol,
    Reference,
    SellerPrivacy,
)
from wassay.client import InvalidArgumentError
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.valuation.comparison import SellerDistances
from wassay.models import Evaluation as State
from wassay.models import Request as RequestState


@pytest.mark.parametrize(
    "address",
    ["http://h:abc", "http://[", "http://h:99999", "http://h:0", "ftp://h", "h:8000", "http://h\n"],
)
def test_an_invalid_address_is_named(address: str) -> None:
    with pytest.raises(InvalidArgumentError, match="expected an address"):
        Client(address, KEY)


@pytest.fixture
def nobody() -> Client:
    """A client of a service that does not exist."""
    return Client("http://127.0.0.1:1", KEY)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda client: ask(client, sellers="acc_1"), "sellers"),
        (lambda _: Protocol(modes="measure"), "modes"),
        (lambda client: client.requests.create(title="T", reference_id="r", sweep=0.5), "sweep"),
        (lambda client: client.evaluations.create("r", contribution_ids="con_1"), "contribution_"),
        (lambda client: client.accounts.create_key("acc_1", scopes="buyer"), "scopes"),
        (lambda client: client.listings.create(title="T", dimension=1, points=1, classes="ab"), ""),
    ],
)
def test_a_string_is_not_taken_for_a_list_of_letters(
    nobody: Client, call: Callable[[Client], Any], name: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=f"expected {name}.* to be a list, received '?"):
        call(nobody)


COMPARED = SellerDistances(["a", "b"], ["A", "B"], np.zeros((2, 2)), np.zeros((2, 2)))
NUMBERS: dict[str, tuple[Callable[[Client, Any], Any], list[Any]]] = {
    "timeout": (lambda _, value: Client("http://h", KEY, timeout=value), [0, "60", math.inf]),
    "top": (lambda client, value: evaluated(client).noisy(top=value), [0, 2.5, "20", True, None]),
    "budget": (lambda client, value: evaluated(client).valuable(budget=value), [-1, 1.0, [5]]),
    "cutoff": (lambda client, value: evaluated(client).outliers(cutoff=value), [0, "3", math.nan]),
    "standard_error": (
        lambda client, value: evaluated(client).shapley(standard_error=value),
        [0, -0.1, "0.05"],
    ),
    "max_permutations": (
        lambda client, value: evaluated(client).shapley(max_permutations=value),
        [1, 3, 10.0],
    ),
    "seconds": (lambda client, value: evaluated(client).shapley(seconds=value), [0, "60"]),
    "the price of con_1": (
        lambda client, value: evaluated(client).buy({"con_1": value}, 5.0),
        [-1.0, "3", None, math.nan],
    ),
    "the weight of con_1": (
        lambda client, value: evaluations(client, seller_weights={"con_1": value}),
        [0, -1.0, math.inf, "3", True],
    ),
    "seller_weights": (
        lambda client, value: evaluations(client, seller_weights=value),
        [[("con_1", 3.0)], 3.0],
    ),
    "prices": (lambda client, value: evaluated(client).buy(value, 5.0), [[("con_1", 3.0)], 3.0]),
    "budget ": (lambda client, value: evaluated(client).buy({}, value), [-1.0, "60", math.nan]),
    "s": (lambda client, value: evaluated(client).scores(s=value), [0.0, 1, "0.5"]),
    "an s of the sweep": (lambda _, value: Protocol(sweep=[0.5, value]), [0, 1.5, "½"]),
    "dimension": (lambda client, value: listed(client, dimension=value), [0, 2.0, "2"]),
    "points": (lambda client, value: listed(client, points=value), [0, None]),
    "sweep": (lambda _, value: Protocol(sweep=value), [(0.2, 0.8), (0.5, 0.5, 0.6)]),
    "order": (lambda _, value: Protocol(order=value), [0, 3, "2", True, None]),
    "modes": (lambda _, value: Protocol(modes=value), [["measures"], []]),
    "radius": (lambda _, value: BuyerPrivacy(epsilon=1.0, radius=value), [-1.0, math.nan, "6"]),
    "dimensions": (lambda _, value: BuyerPrivacy(dimensions=value), [0, 2.0, "2", True]),
    "max_disclosure": (lambda _, value: BuyerPrivacy(max_disclosure=value), ["all", 1]),
    "scores": (lambda _, value: SellerPrivacy(scores=value), ["all", None, True]),
    "privacy": (lambda client, value: ask(client, privacy=value), [{"sealed": False}, "sealed"]),
    "protocol": (lambda client, value: ask(client, protocol=value), [0.4, {"t0": 0.4}]),
    "epsilon": (lambda client, value: drafted(client, epsilon=value), [0.0, math.inf, "1"]),
    "expires_at": (lambda client, value: drafted(client, expires_at=value), [object(), math.nan]),
    "count": (lambda _, value: COMPARED.clusters(value), [0, 1.0, "two"]),
    "reference": (lambda _, value: Protocol(reference=value), ["ref_1", 3, [[0.0]]]),
    "profile": (lambda client, value: Buyer(client, value), ["profile.json", 3]),
    "coalitions": (lambda client, value: evaluations(client, coalitions=value), [None, "con_1"]),
    "a coalition": (lambda client, value: evaluations(client, coalitions=[value]), ["con_1", 3]),
    "edit": (lambda client, value: client.requests.edit(value, title="T"), ["req_1", None]),
    "an id": (lambda client, value: client.evaluations.get(value), ["", None, 7]),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, (_, wrong) in NUMBERS.items() for value in wrong]
)
def test_a_number_out_of_range_is_named_before_anything_is_sent(
    nobody: Client, name: str, value: Any
) -> None:
    call, _ = NUMBERS[name]
    with pytest.raises(
        InvalidArgumentError, match=rf"^expected .*\b{name}\b.*, received "
    ) as refused:
        call(nobody, value)
    assert repr(value) in str(refused.value)


def test_an_object_passed_for_its_id_is_reported(nobody: Client) -> None:
    asked = RequestState.model_validate(request())
    with pytest.raises(InvalidArgumentError, match=r"pass its id$"):
        nobody.requests.get(asked)  # type: ignore[arg-type]


def test_numpy_numbers_and_times_are_sent_as_json(client: Client, server: ScriptedServer) -> None:
    server.script = [Answer(201, request())]
    client.requests.create(
        title="T",
        reference_id="ref_1",
        order=np.int64(2),  # type: ignore[arg-type]
        sweep=np.array([0.25, 0.5, 0.75], dtype=np.float32),
        epsilon=np.float32(0.5),  # type: ignore[arg-type]
        radius=9,
        reveals_scores=np.bool_(True),  # type: ignore[arg-type]
        expires_at=datetime(2027, 1, 1, tzinfo=UTC),
    )
    sent = json.loads(server.received[0].body)
    assert (sent["order"], sent["sweep"], sent["epsilon"]) == (2, [0.25, 0.5, 0.75], 0.5)
    assert (sent["reveals_scores"], sent["expires_at"]) == (True, "2027-01-01T00:00:00Z")


def test_results_with_noise_cannot_be_valued(nobody: Client) -> None:
    noised = evaluated(nobody, epsilon=0.5)
    calls = (
        lambda: noised.noisy(top=3),
        lambda: noised.valuable(budget=3),
        noised.outliers,
        noised.shapley,
        noised.compare,
        lambda: noised.buy({"con_1": 1.0}, 2.0),
        lambda: noised.distance_of(["con_1"]),
    )
    for call in calls:
        with pytest.raises(InvalidArgumentError, match=r"carry noise \(ε = 0.5\)"):
            call()


def evaluated(client: Client, **changes: Any) -> Evaluation:
    return Evaluation(client, State.model_validate(evaluation(**changes)), PrivatePush(0.5, 0.0))


def evaluations(client: Client, **terms: Any) -> None:
    client.evaluations.create("req_1", **terms)


def listed(client: Client, **terms: Any) -> None:
    client.listings.create(**{"title": "T", "dimension": 1, "points": 1, **terms})


def drafted(client: Client, **terms: Any) -> None:
    client.requests.create(title="T", reference_id="ref_1", **terms)


def ask(client: Client, **terms: Any) -> None:
    privacy = BuyerPrivacy(max_disclosure="exact")
    Buyer(client).ask([[0.0], [1.0]], **{"title": "T", "privacy": privacy, **terms})


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda _: BuyerPrivacy(sealed=False, dimensions=2), "dimensions need a sealed reference"),
        (
            lambda _: BuyerPrivacy(dimensions=2, epsilon=1.0, radius=1.0),
            "dimensions or epsilon, received both",
        ),
        (
            lambda client: ask(client, privacy=BuyerPrivacy(dimensions=2, max_disclosure="exact")),
            r"expected fewer dimensions than the points have \(1\), received 2",
        ),
        (
            lambda client: Buyer(client).ask(
                np.eye(3),
                title="T",
                privacy=BuyerPrivacy(dimensions=2, max_disclosure="exact"),
                protocol=Protocol(reference=Reference(1, 3, Normal(), 0)),
            ),
            "a reference of 2 coordinates, .* received one of 3",
        ),
    ],
)
def test_dimensions_that_do_not_go_with_the_rest_are_refused_before_anything_is_sent(
    nobody: Client, call: Callable[[Client], object], why: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=why):
        call(nobody)

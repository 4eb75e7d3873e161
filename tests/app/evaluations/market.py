"""Buyers and sellers with data, and the expected results of their evaluations."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import ot
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from tests.app.conftest import Party
from tests.app.requests.market import draft, invite, put
from wassay.transport import Measure, Normal, Reference, interpolate

LARGE_UNIT = 1e9
"""Scales data as nanoseconds do: squared distances are then between 2^53 and 1e21."""

SWEEP = (0.25, 0.5, 0.75)
PUSH = 0.4
FINISHED = {"succeeded", "failed", "cancelled"}


@dataclass(frozen=True)
class Data:
    """The parties' measures: η_μ(t0) of the buyer, and η_ν(s) of every seller."""

    buyer: Measure
    sellers: Sequence[Mapping[float, Measure]]


def data(
    *sizes: int, m: int = 30, d: int = 3, seed: int = 0, weighted: bool = False, unit: float = 1.0
) -> Data:
    random = np.random.default_rng(seed)
    reference = Reference(5, d, Normal(), seed=7).measure()

    def measure(n: int, shift: float) -> Measure:
        weights = random.uniform(1, 2, n) if weighted else np.ones(n)
        return Measure(unit * random.normal(shift, 1, (n, d)), weights / weights.sum())

    sellers = [measure(n, 0.3 * place) for place, n in enumerate(sizes)]
    return Data(
        interpolate(measure(m, 0), reference, PUSH),
        [{s: interpolate(seller, reference, s) for s in SWEEP} for seller in sellers],
    )


def ask(buyer: Party, held: Data, **terms: Any) -> str:
    """Open a request with the buyer's measure."""
    request_id = draft(buyer, held.buyer.dimension, sweep=SWEEP, **terms)
    put_measure(buyer, f"/v1/requests/{request_id}/measure", held.buyer)
    assert buyer.post(f"/v1/requests/{request_id}/open").status_code == 200
    return request_id


def answer(
    seller: Party, request_id: str, held: Data, place: int, mode: str = "measure", **terms: Any
) -> str:
    """Submit the contribution of one seller in mode `measure` or `cost-block`."""
    begun = seller.post(f"/v1/requests/{request_id}/contributions", json={"mode": mode, **terms})
    assert begun.status_code == 201, begun.text
    contribution_id = str(begun.json()["id"])
    for s, measure in held.sellers[place].items():
        path = f"/v1/contributions/{contribution_id}"
        if mode == "measure":
            put_measure(seller, f"{path}/measures/{s}", measure)
        else:
            costs = cdist(measure.points, held.buyer.points, "sqeuclidean")
            block = np.column_stack([costs, measure.weights])
            sent = put(seller, f"{path}/cost-blocks/{s}", block, weights="last_column")
            assert sent.status_code == 201, sent.text
    done = seller.post(f"/v1/contributions/{contribution_id}/submit", json={})
    assert done.status_code == 200, done.text
    return contribution_id


def put_measure(party: Party, path: str, measure: Measure) -> None:
    array = np.column_stack([measure.points, measure.weights])
    sent = put(party, path, array, weights="last_column")
    assert sent.status_code == 201, sent.text


def market(
    parties: Callable[..., Party],
    held: Data,
    modes: Sequence[str],
    policies: Sequence[str] | None = None,
    buyer: Party | None = None,
    allows_comparison: Sequence[bool] = (),
    questions: bool = True,
    **terms: Any,
) -> tuple[Party, list[Party], str, list[str]]:
    """Make a request, and submit a contribution of every seller, each in the mode named for it.

    Sellers' caps allow any number of questions, unless `questions` is false.
    """
    buyer = buyer or parties("buyer")
    terms |= {"modes": sorted(set(modes)), "reveals_measure": "cost-block" in modes}
    request_id = ask(buyer, held, **terms)
    sellers = [parties("seller", organisation=f"Seller {place}") for place in range(len(modes))]
    answers = []
    for place, seller in enumerate(sellers):
        invite(buyer, request_id, seller)
        if questions:
            lift_questions(seller)
        policy = "none" if policies is None else policies[place]
        allows = place < len(allows_comparison) and allows_comparison[place]
        own = {"score_policy": policy, "allows_comparison": allows}
        answers.append(answer(seller, request_id, held, place, modes[place], **own))
    return buyer, sellers, request_id, answers


def lift_questions(seller: Party) -> None:
    """Allow any number of distances with the seller's data."""
    path = f"/v1/accounts/{seller.account_id}/caps"
    assert seller.put(path, json={"questions": None}).status_code == 200


def combined_disclosure(owner: Party) -> dict[str, Any]:
    """Return what the buyer's organisation can compute of the owner's only dataset."""
    combined = owner.get("/v1/disclosures/combined").json()["items"]
    (row,) = (each for each in combined if each["viewer_organisation"] is not None)
    found: dict[str, Any] = row
    return found


def evaluate(buyer: Party, request_id: str, **terms: Any) -> str:
    asked = buyer.post(f"/v1/requests/{request_id}/evaluations", json=terms)
    assert asked.status_code == 202, asked.text
    evaluation_id = str(asked.json()["id"])
    assert asked.headers["location"] == f"/v1/evaluations/{evaluation_id}"
    return evaluation_id


def finished(party: Party, evaluation_id: str, seconds: float = 120) -> dict[str, Any]:
    """Read an evaluation until it has ended."""
    end = time.monotonic() + seconds
    while True:
        read = party.get(f"/v1/evaluations/{evaluation_id}")
        assert read.status_code == 200, read.text
        evaluation: dict[str, Any] = read.json()
        if evaluation["state"] in FINISHED:
            return evaluation
        assert read.headers["retry-after"] == "1"
        assert time.monotonic() < end, f"still {evaluation} after {seconds} s"
        time.sleep(0.05)


def result(buyer: Party, evaluation_id: str) -> dict[str, Any]:
    assert finished(buyer, evaluation_id)["state"] == "succeeded"
    read = buyer.get(f"/v1/evaluations/{evaluation_id}/result")
    assert read.status_code == 200, read.text
    found: dict[str, Any] = read.json()
    return found


def distances(curve: Mapping[str, Any]) -> NDArray[np.float64]:
    return np.array([point["distance"] for point in curve["points"]])


def pot_distances(
    held: Data, places: Sequence[int], shares: Sequence[float]
) -> NDArray[np.float64]:
    """Return W_2 from the buyer to the mixture of a coalition at every s, by POT."""
    values = []
    for s in SWEEP:
        measures = [held.sellers[place][s] for place in places]
        cost = np.vstack(
            [cdist(each.points, held.buyer.points, "sqeuclidean") for each in measures]
        )
        weights = np.concatenate(
            [share * each.weights for share, each in zip(shares, measures, strict=True)]
        )
        weights /= weights.sum()
        values.append(np.sqrt(ot.emd2(weights, held.buyer.weights, cost, numItermax=10**8)))
    return np.array(values)

"""Shapley values and purchases of many sellers, by the SDK with a real service."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.app.conftest import Party, Service
from tests.app.evaluations.market import SWEEP, Data, market
from tests.conftest import ON_SQLITE
from wassay import Buyer, Client, Measure, Profile, Request
from wassay.client import InvalidArgumentError
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.buyer.saved_request import SavedRequest
from wassay.transport import buy_greedily, shapley
from wassay.transport.market.ties import BoundedValue

T0 = 0.35
SIZES = [4, 6, 5, 7, 4, 8, 6, 5, 4, 7, 6]
random = np.random.default_rng(17)
NEEDED = random.normal(size=(24, 3))
OFFERED = [random.normal(0.2 * place, 1, (size, 3)) for place, size in enumerate(SIZES)]


class Truth:
    """Distances of the raw data, by POT."""

    def __init__(self, of: dict[str, NDArray[np.float64]]) -> None:
        self.of = of

    def __call__(self, coalition: frozenset[str]) -> float:
        points = np.vstack([self.of[name] for name in sorted(coalition)])
        return math.sqrt(ot.emd2([], [], ot.dist(points, NEEDED), numItermax=10**7))


Market = tuple[Request, dict[str, NDArray[np.float64]]]


@pytest.fixture
def asked(
    http: Callable[..., Party], service: Service, worker: object, tmp_path: Path
) -> Iterator[Market]:
    """A request towards a reference at the origin, and what each contribution offered."""
    del worker
    held = Data(
        Measure((1 - T0) * NEEDED),
        [{s: Measure((1 - s) * points) for s in SWEEP} for points in OFFERED],
    )
    buyer, _, request_id, answers = market(
        http, held, ["measure"] * len(SIZES), allows_comparison=[True] * 4
    )
    SavedRequest(request_id, PrivatePush(T0, 0.0), None, None).save(tmp_path / "request.json")
    with Client(service.url, buyer.key) as client:
        request = Buyer(client, Profile(tmp_path / "profile.json")).load(tmp_path / "request.json")
        yield request, dict(zip(answers, OFFERED, strict=True))


@ON_SQLITE
def test_many_sellers_are_valued_and_bought_from_at_the_private_push(
    asked: Market,
) -> None:
    request, answers = asked
    truth, names = Truth(answers), sorted(answers)
    evaluation = request.evaluate().wait()

    found = evaluation.shapley(standard_error=0.2)

    assert found.ended_by == "standard-error"
    spread = max(found.values.values()) - min(found.values.values())
    assert max(found.standard_errors.values()) <= 0.2 * spread
    expected = shapley(names, truth, standard_error=0.03)
    for name in names:
        error = found.standard_errors[name] + expected.standard_errors[name]
        assert abs(found.values[name] - expected.values[name]) <= 6 * error
    limited = evaluation.shapley(standard_error=1e-6, max_permutations=found.permutations + 2)
    assert (limited.permutations, limited.ended_by) == (found.permutations + 2, "permutations")
    hurried = request.evaluation(evaluation.id).shapley(standard_error=1e-6, seconds=1e-9)
    assert hurried.ended_by == "time"

    prices = {name: 1.0 + place for place, name in enumerate(names)}
    bought = evaluation.buy(prices, budget=5.0)

    def known(coalition: frozenset[str]) -> BoundedValue:
        value = truth(coalition)
        return BoundedValue(value, (value, value))

    best = buy_greedily(prices, 5.0, known)
    assert [each.contribution_id for each in bought] == [each.contribution_id for each in best]
    for each, true in zip(bought, best, strict=True):
        assert each.distance.value == pytest.approx(true.distance.value, rel=1e-6)
        assert each.distance.bracket is not None
        low, high = each.distance.bracket
        assert low - 1e-6 <= true.distance.value <= high + 1e-6
    with pytest.raises(InvalidArgumentError, match="received con_unknown: name "):
        evaluation.buy({"con_unknown": 1.0}, budget=1.0)

    few = request.evaluate(contribution_ids=names[:4]).wait()
    exact = few.shapley()
    assert exact.ended_by == "every-coalition"
    assert exact.values == pytest.approx(shapley(names[:4], truth).values, rel=1e-6)
    some = few.distance_of(names[1:3])
    assert some.value == pytest.approx(truth(frozenset(names[1:3])), rel=1e-6)

    near = evaluation.compare()
    among = list(answers)[:4]
    assert sorted(near.contribution_ids) == sorted(among)
    for i, one in enumerate(near.contribution_ids):
        for j, other in enumerate(near.contribution_ids):
            cost = ot.emd2([], [], ot.dist(answers[one], answers[other]))
            assert near.distances[i, j] == pytest.approx(cost**0.5, rel=1e-6, abs=1e-9)
    assert set(near.clusters(2).values()) == {0, 1}

"""A sweep's scalars, compared with the curve from which they were taken."""

from collections.abc import Iterable

import numpy as np
import ot
import pytest

from tests.transport.inversion.records import Kind, normal_reference, records
from wassay.transport import Measure, SweepScalars, TransportError, evaluate, project
from wassay.transport.market.seller_costs import SellerCosts

SWEEP = (0.25, 0.5, 0.75)


def pushed(kind: Kind, size: int, k: int, t: Iterable[float], seed: int) -> dict[float, Measure]:
    measure = Measure(records(kind, size, seed=seed))
    projection = project(measure, normal_reference(k, measure.dimension).measure())
    return {s: projection.interpolate(s) for s in t}


@pytest.mark.parametrize("kind", ["digits", "gaussian"])
@pytest.mark.parametrize("k", [1, 7])
def test_the_curve_of_the_scalars_is_the_curve_of_the_measures(kind: Kind, k: int) -> None:
    buyer = pushed(kind, 30, k, (0.4,), seed=1)[0.4]
    measures = pushed(kind, 41, k, SWEEP, seed=2)
    seller = SellerCosts.from_measures("them", measures, buyer)
    found = SweepScalars.solve(seller, buyer)
    known = evaluate(buyer.weights, [seller], SWEEP).grand_coalition
    curve = found.curve()
    assert curve.quadratic_coefficient == known.quadratic_coefficient
    for s in (0.1, 0.4, 0.6, 0.9):
        assert curve.distance(s) == pytest.approx(known.distance(s), rel=1e-9)
        bracket = curve.bracket(s)
        assert bracket is not None
        low, high = bracket
        truth = transported(project_at(kind, 41, k, s), buyer)
        assert low <= truth * (1 + 1e-9)
        assert truth <= high * (1 + 1e-9)
    for point in curve.points:
        assert point.certificate is None
        assert point.cost == pytest.approx(transported(measures[point.s], buyer), rel=1e-9)


def project_at(kind: Kind, size: int, k: int, s: float) -> Measure:
    return pushed(kind, size, k, (s,), seed=2)[s]


def transported(measure: Measure, buyer: Measure) -> float:
    cost = ot.dist(measure.points, buyer.points)
    return float(ot.emd2(measure.weights, buyer.weights, cost, numItermax=10**7))


def test_measures_of_different_records_have_no_scalars() -> None:
    buyer = pushed("gaussian", 30, 1, (0.4,), seed=1)[0.4]
    measures = pushed("gaussian", 41, 1, SWEEP, seed=2)
    rng = np.random.default_rng(4)
    measures[0.5] = Measure(rng.permutation(measures[0.5].points) ** 2)
    with pytest.raises(TransportError, match="Interpolate one measure"):
        SweepScalars.solve(SellerCosts.from_measures("them", measures, buyer), buyer)

"""Estimates at t0 in unusual cases."""

import math
import re

import ot
import pytest

from tests.client.documents import result
from wassay import Constant, Estimates, Measure, Normal, Reference, Result, models
from wassay.client.buyer.private_push import PrivatePush
from wassay.transport import (
    DistanceBand,
    NegativeRadicand,
    ProjectionScaling,
    project,
)

ALMOST_RAW = 0.05


def test_a_single_seller_has_no_leave_one_out() -> None:
    reference = Reference(1, 1, Constant(0.0), seed=0).measure()
    document = result(Measure([[0.0], [1.0]]), {"only": Measure([[2.0]])}, reference, 0.5)
    (seller,) = Result(document, PrivatePush(0.5, 0.0)).estimates().sellers
    assert (seller.leave_one_out, seller.change, seller.relative_score) == (None, None, 1.0)
    # W2² of {0, 1} and {2}: (4 + 1)/2.
    assert seller.singleton.value == pytest.approx(2.5**0.5)


def test_without_the_sellers_spread_no_interval_is_claimed() -> None:
    reference = Reference(3, 2, Normal(), seed=1).measure()
    buyer = Measure([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
    sellers = {"a": Measure([[1.0, 1.0], [3.0, 0.0]]), "b": Measure([[0.0, 0.0]])}
    push = PrivatePush(0.5, project(buyer, reference).spread)
    known = Result(result(buyer, sellers, reference, 0.5), push).estimates()
    unknown = Result(result(buyer, sellers, reference, 0.5, spreads_known=False), push).estimates()
    assert known.grand_coalition is not None
    assert unknown.grand_coalition is not None
    assert known.grand_coalition.interval is not None
    assert unknown.grand_coalition.interval is None
    assert unknown.grand_coalition.bracket == known.grand_coalition.bracket
    assert str(unknown).count("not known") == 3


def test_a_fit_without_a_root_is_an_error_that_names_the_seller() -> None:
    reference = Measure([[0.0, 1.0], [0.0, -1.0]])
    seller = Measure([[1.0, 0.0], [-1.0, 0.0]])
    document = result(seller, {"hostile": seller}, reference, ALMOST_RAW)
    curve = document.sellers[0].singleton
    low = curve.points[0].model_copy(update={"cost": 1e-6})
    bent = curve.model_copy(update={"points": [low, *curve.points[1:]]})
    worse = document.sellers[0].model_copy(update={"singleton": bent})
    found = Result(
        document.model_copy(update={"sellers": [worse], "grand_coalition": bent}),
        PrivatePush(ALMOST_RAW, 1.0),
    )
    with pytest.raises(NegativeRadicand) as negative:
        found.estimates()
    assert negative.value.radicand < 0
    assert negative.value.__notes__ == ["in the curve of hostile"]


def four_sellers() -> Estimates:
    reference = Reference(1, 1, Normal(), seed=3).measure()
    sellers = {f"at {place}": Measure([[float(place)]]) for place in (3, 1, 4, 2)}
    document = result(Measure([[0.0]]), sellers, reference, 0.5)
    return Result(document, PrivatePush(0.5, 0.0)).estimates()


def test_sellers_come_nearest_first() -> None:
    estimates = four_sellers()
    assert [seller.label for seller in estimates.sellers] == ["at 1", "at 2", "at 3", "at 4"]
    contributions = [seller.relative_score for seller in estimates.sellers]
    assert contributions == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_leaving_a_near_seller_out_raises_the_distance_and_a_far_one_lowers_it() -> None:
    estimates = four_sellers()
    # The buyer is one point at 0, so W_2² of a coalition is the mean of its squared points.
    together = (30 / 4) ** 0.5
    assert estimates.grand_coalition is not None
    assert estimates.grand_coalition.value == pytest.approx(together)
    for seller in estimates.sellers:
        place = int(seller.label.removeprefix("at "))
        others = ((30 - place**2) / 3) ** 0.5
        assert seller.change == pytest.approx(others - together)


def test_an_interval_too_narrow_for_the_digits_is_shown_by_its_half_width() -> None:
    cells = [line.split()[4] for line in str(four_sellers()).splitlines()[2:6]]
    assert all(0 < float(cell) < 1e-4 for cell in cells)


def test_findings_are_printed_below_the_table() -> None:
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), {"a": Measure([[1.0]])}, reference, 0.5)
    finding = models.Finding(
        kind="copies-buyer",
        contribution_id="con_a",
        other_contribution_id=None,
        detail="1 of 1 points of yours lie on points of a (con_a).",
        examined=1,
        found=1,
        chance=0.0,
        misfit=None,
    )
    found = Result(
        document.model_copy(update={"findings": [finding]}), PrivatePush(0.5, 0.0)
    ).estimates()
    assert found.findings == (finding.detail,)
    assert str(found).splitlines()[-1] == f"Found: {finding.detail}"
    assert "Found" not in str(Result(document, PrivatePush(0.5, 0.0)).estimates())


def test_the_worst_certificate_is_found_wherever_it_is() -> None:
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), {"a": Measure([[1.0]])}, reference, 0.5)
    curve = document.sellers[0].singleton
    certificate = curve.points[1].certificate
    assert certificate is not None
    bad = certificate.model_copy(update={"gap": 0.25})
    worse = curve.points[1].model_copy(update={"certificate": bad})
    alone = curve.model_copy(update={"points": [curve.points[0], worse, curve.points[2]]})
    seller = document.sellers[0].model_copy(update={"singleton": alone})
    found = Result(document.model_copy(update={"sellers": [seller]}), PrivatePush(0.5, 0.0))
    assert found.certificate == bad


def test_w2_of_the_raw_data_is_pots() -> None:
    reference = Reference(1, 2, Normal(), seed=3).measure()
    buyer, seller = Measure([[0.0, 1.0], [1.0, 5.0]]), Measure([[2.0, 1.0], [3.0, 3.0], [0.0, 0.0]])
    document = result(buyer, {"s": seller}, reference, 0.4)
    estimates = Result(document, PrivatePush(0.4, 0.0)).estimates()
    true = ot.emd2([], [], ot.dist(seller.points, buyer.points)) ** 0.5
    assert estimates.sellers[0].singleton.value == pytest.approx(true)


def projected_sellers(scaling: ProjectionScaling) -> Estimates:
    reference = Reference(1, 1, Normal(), seed=3).measure()
    sellers = {f"at {place}": Measure([[float(place)]]) for place in (3, 1)}
    document = result(Measure([[0.0]]), sellers, reference, 0.5)
    return Result(document, PrivatePush(0.5, 0.0, scaling)).estimates()


def test_distances_of_projections_are_lower_bounds_without_an_upper_one() -> None:
    estimates = projected_sellers(ProjectionScaling(4, 1))
    for seller, place in zip(estimates.sellers, (1.0, 3.0), strict=True):
        assert seller.singleton.value == pytest.approx(place)
        assert seller.singleton.interval is not None
        assert seller.singleton.interval == pytest.approx((place, math.inf))
        assert seller.scaled is not None
        assert seller.scaled.value == pytest.approx(2 * place)
        assert seller.scaled.interval is None
    row = str(estimates).splitlines()[3].split()
    assert row[:10] == ["at", "3", "1", "3.0000", "at", "least", "3.0000", "6.0000", "not", "known"]


def test_the_range_of_draws_is_printed_beside_the_scaled_distance() -> None:
    estimates = projected_sellers(ProjectionScaling(4, 1, (DistanceBand((3.0,), (1.0,), (2.0,)),)))
    title, _, near, _, together = str(estimates).splitlines()
    columns = ("W2 of projections", "computed to within", "scaled up", "range of draws")
    assert re.split(r"\s{2,}", title)[2:6] == list(columns)
    assert "[1.5000, 3.0000]" in near
    assert together.startswith("all together")

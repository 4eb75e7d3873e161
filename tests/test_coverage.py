"""Coverage at t0: interpolated from a result, and in words."""

import numpy as np
import pytest

from tests.client.documents import result
from wassay import Coverage, Measure, Normal, Reference, Result, models
from wassay.client.buyer.private_push import PrivatePush
from wassay.coverage import coverage_at


def covered(shares: dict[str, float]) -> Coverage:
    """Return coverage by groups of sellers; a key lists the names of a group."""
    groups = {frozenset(group.split()): share for group, share in shares.items()}
    labels = {name: name.upper() for name in sorted({*" ".join(shares).split()})}
    return Coverage(labels, groups, dict.fromkeys(groups, 0.97))


THREE = {"a": 0.6, "b": 0.5, "c": 0.3, "a b": 0.7, "a c": 0.88, "b c": 0.75, "a b c": 0.9}


def test_each_seller_in_the_order_adds_most_to_those_before() -> None:
    coverage = covered(THREE)
    assert coverage.order == ("a", "c", "b")
    assert coverage.added("a") == pytest.approx(0.6)
    assert coverage.added("c") == pytest.approx(0.28)
    assert coverage.added("b") == pytest.approx(0.02)
    assert coverage.of("c", "b") == 0.75
    assert str(coverage) == (
        "Coverage: A has points near 60 % of yours (as many rows of your own population would: "
        "97 %). C adds 28 % (alone 30 %). B adds 2 % (alone 50 %). All together: 90 %."
    )


def test_of_groups_that_were_not_examined_each_sellers_own_share_is_said() -> None:
    pairs = {"a": 0.5, "b": 0.4, "c": 0.3, "d": 0.2, "a b": 0.6, "a c": 0.7, "a d": 0.7}
    coverage = covered({**pairs, "b c": 0.6, "b d": 0.5, "c d": 0.4, "a b c d": 0.8})
    assert coverage.order == ("a", "c", "b", "d")
    assert coverage.added("b") is None
    assert "C adds 20 % (alone 30 %). B: 40 %. D: 20 %. All together: 80 %." in str(coverage)


def test_a_single_seller_covers_a_share() -> None:
    assert str(covered({"a": 0.25})).endswith("97 %).")


def test_coverage_is_interpolated_where_points_move_evenly() -> None:
    reference = Reference(1, 1, Normal(), seed=3).measure()
    document = result(Measure([[0.0]]), {"A": Measure([[1.0]])}, reference, 0.5)
    assert Result(document, PrivatePush(0.5, 0.0)).estimates().coverage is None
    group = models.GroupCoverage(contribution_ids=["con_A"], shares=[0.2, 0.8], expected=0.9)
    swept = models.SweptCoverage(sweep=[0.25, 0.75], examined=30, groups=[group])
    shown = document.model_copy(update={"coverage": swept})
    push = 1 - float(np.sqrt(0.25 * 0.75))  # halfway in ln(1 − s)
    found = coverage_at(shown, push, {"con_A": "A"})
    assert found is not None
    assert found.of("con_A") == pytest.approx(0.5)
    assert found.expected_of("con_A") == 0.9
    estimates = Result(shown, PrivatePush(push, 0.0)).estimates()
    assert estimates.coverage == found
    assert "Coverage: A has points near 50 % of yours" in str(estimates)
